"""Microaggregation in blocks makes the same blocks and groups wherever the records are."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import SAME_SECRET, SomeGroups, draw_the_same, records_without_names, schema_without_file
from shoal import road
from shoal.anonymizers import methods
from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata, Role
from shoal.errors import ShoalError, WordingError
from shoal.jobs.verify import verify
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from shoal.testing import tables

_PROMISES = ("k-anonymity:k=2", "k-anonymity:k=3", "l-diversity:l=2", "t-closeness:t=0.4")
_METHODS = ("mdav,blocks=4", "mdav,blocks=100", "v-mdav,blocks=6", "refined,passes=1,blocks=8", "approximate,blocks=5")


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    with SomeGroups(tmp_path_factory.mktemp("backend") / "spill", 4_000, threads=1) as backend:
        yield backend


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_the_same(monkeypatch)


_BY_CHANCE = ("weighted attribute distribution distance",)
"""What depends on the weights of records that are published alike otherwise: the order of rows decides who is where."""


@settings(max_examples=80, deadline=None)
@given(
    table=tables(min_records=2, max_records=30, others=True),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True),
    method=st.sampled_from(_METHODS),
)
def test_what_is_published_is_what_is_published_from_memory(backend, tmp_path_factory, table, wordings, method) -> None:
    folder, models = tmp_path_factory.mktemp("release"), [promises.read(each) for each in wordings]
    method, to = methods.read(f"microaggregation:method={method}"), Destination(folder, None)
    try:
        expected, ledger = road.publish(table, models, method, accept=("empty",), randomness=SAME_SECRET)
    except ShoalError as error:
        with pytest.raises(type(error)):
            publish_table(
                partitioned(table, backend), schema_without_file(table), {}, models, method, to, accept=("empty",)
            )
        return
    made = publish_table(
        partitioned(table, backend), schema_without_file(table), {}, models, method, to, accept=("empty",)
    )
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert "blocks=" in made.certificate.method
    assert made.group_sizes == dict(ledger.group_sizes)
    report = {name: value for name, value in made.report.items() if name not in _BY_CHANCE}
    assert {name: ledger.report[name] for name in report} == pytest.approx(report)
    assert records_without_names(pl.read_parquet(folder / "data")) == records_without_names(expected.records.frame())


def _numbers() -> Microdata:
    ages, ill = pl.Series([20, 30, 40, 50, 60, 70]), pl.Series(list("ababab"))
    return Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, ages), Column.encode("ill", Role.SENSITIVE, ill)))


def test_a_release_verifies(backend, tmp_path) -> None:
    table, method = _numbers(), methods.read("microaggregation:blocks=4")
    models = [promises.read("k-anonymity:k=2")]
    publish_table(
        partitioned(table, backend), schema_without_file(table), {}, models, method, Destination(tmp_path, None)
    )
    assert verify(tmp_path).holds


@pytest.mark.parametrize(
    ("method", "withhold"), [("microaggregation", 0), ("microaggregation:blocks=4", Fraction(1, 2))]
)
def test_without_blocks_or_with_withholding_it_is_refused(backend, tmp_path, method, withhold) -> None:
    table, models, to = _numbers(), [promises.read("k-anonymity:k=2")], Destination(tmp_path, None)
    with pytest.raises(WordingError, match="blocks"):
        publish_table(
            partitioned(table, backend),
            schema_without_file(table),
            {},
            models,
            methods.read(method),
            to,
            withhold=Fraction(withhold),
        )
