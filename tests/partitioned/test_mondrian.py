"""Mondrian on a table that is not in memory makes the groups that it makes in memory."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import backends_of, records_without_names, schema_without_file
from shoal import road
from shoal.anonymizers import methods
from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata, Role
from shoal.errors import ShoalError, WordingError
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.everybody import everybody_of
from shoal.partitioned.local_recoding.top_cuts import top_cuts
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from shoal.testing import tables

_PROMISES = (
    "k-anonymity:k=2",
    "k-anonymity:k=3",
    "l-diversity:l=2",
    "l-diversity:l=1.5,kind=entropy",
    "t-closeness:t=0.4",
    "p-sensitive:p=2",
)
_METHODS = ("mondrian", "mondrian:numbers=hierarchy", "mondrian:labels=tight")
_MEMORY = (400, 2_000, 8_000, 1 << 30)
"""Segments of 1, 5, 20 or all records go to one worker."""


@pytest.fixture(scope="module")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, StreamBackend]]:
    with backends_of(tmp_path_factory.mktemp("backend"), _MEMORY) as made:
        yield made


@settings(max_examples=150, deadline=None)
@given(
    table=tables(min_records=2, max_records=30, others=True),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True),
    method=st.sampled_from(_METHODS),
    memory=st.sampled_from(_MEMORY),
)
def test_what_is_published_is_what_is_published_from_memory(
    backends, tmp_path_factory, table: Microdata, wordings, method, memory
) -> None:
    folder = tmp_path_factory.mktemp("release")
    models, method = [promises.read(each) for each in wordings], methods.read(method)
    try:
        expected, ledger = road.publish(table, models, method, accept=("empty",))
    except ShoalError as error:
        with pytest.raises(type(error)):
            _published(table, backends[memory], models, method, folder)
        return
    made = _published(table, backends[memory], models, method, folder)
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert made.remarks == ledger.remarks
    assert {name: ledger.report[name] for name in made.report} == pytest.approx(dict(made.report))
    assert records_without_names(pl.read_parquet(folder / "data")) == records_without_names(expected.records.frame())


_ROWS = st.tuples(
    st.integers(0, 9), st.integers(0, 99), st.sampled_from([None, 1.5, 2.0, 700.0]), st.sampled_from("ab")
)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(_ROWS, min_size=30, max_size=60),
    wording=st.sampled_from(["k-anonymity:k=2", "l-diversity:l=2", "t-closeness:t=0.5"]),
    memory=st.sampled_from(_MEMORY[1:3]),
)
def test_numbers_are_cut_by_their_widths_in_the_whole_table(backends, tmp_path_factory, rows, wording, memory) -> None:
    folder, roles = tmp_path_factory.mktemp("release"), [Role.QUASI_IDENTIFIER] * 3 + [Role.SENSITIVE]
    columns = zip(("small", "large", "far", "ill"), roles, zip(*rows, strict=True), strict=True)
    table = Microdata(tuple(Column.encode(name, role, pl.Series(values)) for name, role, values in columns))
    models, method = [promises.read(wording)], methods.read("mondrian:labels=tight")
    expected, _ = road.publish(table, models, method, accept=("empty",))
    _published(table, backends[memory], models, method, folder)
    assert isinstance(expected.records, Microdata)
    assert records_without_names(pl.read_parquet(folder / "data")) == records_without_names(expected.records.frame())


def _published(table: Microdata, backend: StreamBackend, models, method, folder):
    there = partitioned(table, backend)
    return publish_table(
        there, schema_without_file(table), {}, models, method, Destination(folder, None), accept=("empty",)
    )


def _small() -> Microdata:
    ages, ills = pl.Series([20, 30, 40, 50]), pl.Series(list("abab"))
    return Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, ages), Column.encode("ill", Role.SENSITIVE, ills)))


@pytest.mark.parametrize(
    ("method", "withhold", "why"),
    [("mondrian:mode=relaxed", 0, "separates equal values"), ("mondrian", Fraction(1, 2), "withholds")],
)
def test_what_needs_all_records_at_once_is_refused_with_the_reason(backends, tmp_path, method, withhold, why) -> None:
    table, models = _small(), [promises.read("k-anonymity:k=2")]
    there, to = partitioned(table, backends[_MEMORY[0]]), Destination(tmp_path, None)
    with pytest.raises(WordingError, match=why):
        publish_table(
            there, schema_without_file(table), {}, models, methods.read(method), to, withhold=Fraction(withhold)
        )


def test_segments_are_cut_until_they_are_small_enough(backends) -> None:
    numbers = pl.Series(range(64))
    table = Microdata((Column.encode("number", Role.QUASI_IDENTIFIER, numbers),))
    there, models = partitioned(table, backends[_MEMORY[0]]), [promises.read("k-anonymity:k=2")]
    tree = top_cuts(there, models, everybody_of(there), by_hierarchy=False, most=8)
    assert sum(cut is None for cut in tree.cuts) == 8
    whole = top_cuts(there, models, everybody_of(there), by_hierarchy=False, most=64)
    assert sum(cut is None for cut in whole.cuts) == 1
