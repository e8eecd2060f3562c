"""A table that is not in memory is published as one that is: the same labels, levels and losses."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import SomeGroups, made_or_error, records_without_names, schema_without_file
from shoal import road
from shoal.anonymizers import methods
from shoal.backends.stream import StreamBackend
from shoal.backends.stream.streamed import Streamed
from shoal.data import Column, Microdata, Records, Role
from shoal.datasets import generate_table
from shoal.errors import InternalError
from shoal.io.folders.release import read_release
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.jobs.verify import verify
from shoal.models import promises
from shoal.partitioned import partitioned
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination
from shoal.testing import tables
from shoal.testing.strategies import promises_on


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with SomeGroups(folder, 4_000) as backend:
        yield backend


@st.composite
def _whole_tables(draw: st.DrawFn) -> Microdata:
    """Return tables with columns of every role; in some, people have several records."""
    table = draw(tables(min_records=2, others=True))
    if draw(st.booleans()):
        told = draw(st.sampled_from(table.columns))
        shifted = np.roll(told.codes, draw(st.integers(0, 1)))
        table = replace(table, columns=(*table.columns, Column.encode("told", Role.INSENSITIVE, pl.Series(shifted))))
    if draw(st.sampled_from([True, False, False])):
        regions = pl.Series(draw(st.lists(st.sampled_from("nnns"), min_size=len(table), max_size=len(table))))
        table = replace(table, columns=(Column.encode("region", Role.STRATUM, regions), *table.columns))
    if draw(st.booleans()):
        persons = draw(st.lists(st.integers(0, len(table) // 2), min_size=len(table), max_size=len(table)))
        return replace(table, persons=np.array(persons, np.int64))
    return table


@settings(max_examples=100, deadline=None)
@given(
    table=_whole_tables(),
    data=st.data(),
    withhold=st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2)]),
    method=st.sampled_from(["lattice", "none"]),
    accept=st.sampled_from([(), ("told",), ("empty",)]),
)
def test_what_is_published_is_what_is_published_from_memory(
    backend, tmp_path_factory, table: Microdata, data, withhold, method, accept
) -> None:
    folder = tmp_path_factory.mktemp("release")
    wordings = data.draw(st.lists(st.sampled_from(promises_on(table)), min_size=1, max_size=2, unique=True))
    models, method = [promises.read(each) for each in wordings], methods.read(method)
    schema = schema_without_file(table)
    to = Destination(folder, None)
    options = {"withhold": withhold, "accept": accept}
    in_memory = made_or_error(lambda: road.publish(table, models, method, **options))
    made = made_or_error(lambda: publish_table(partitioned(table, backend), schema, {}, models, method, to, **options))
    if isinstance(in_memory, str) or isinstance(made, str):
        assert made == in_memory
        return
    expected, ledger = in_memory
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert made.remarks == ledger.remarks
    assert dict(made.report) == pytest.approx(dict(ledger.report))
    assert records_without_names(pl.read_parquet(folder / "data")) == records_without_names(expected.records.frame())
    assert {each.name for each in folder.iterdir()} - {"people.csv"} == {"data", "schema.toml", "certificate.json"}
    if any((each.vocabulary.values.cast(pl.String) == "").any() for each in table.columns):
        return  # in files an empty text is a missing value
    assert verify(folder).holds
    on_disk = verify(folder, engine="stream")
    assert on_disk.holds
    assert on_disk.to_json()["promises"] == verify(folder).to_json()["promises"]
    assert _stated(read_release(folder).records) == _stated(expected.records)


def _stated(published: Records) -> Counter | None:
    """Return each record with the numbers of people that are stated of its class and of its values."""
    assert isinstance(published, Microdata)
    if published.stated is None:
        return None
    numbers = [pl.Series("class", published.stated.in_class)]
    numbers += [pl.Series(f"with {name}", people) for name, people in sorted(published.stated.with_value.items())]
    columns = [column.values.cast(pl.String) for column in published.columns[1:]]
    return Counter(pl.DataFrame([*columns, *numbers]).iter_rows())


_METHODS = ["none", "lattice", "mondrian", "top-down:search=0", "microaggregation:blocks=1000"]
_MOMENTS = [*(("grouping what is published", method) for method in _METHODS), ("shuffling records", "lattice")]


@pytest.mark.parametrize(
    "spoil", [lambda rows: rows[1:], lambda rows: pl.concat([rows, rows[:1]])], ids=["lost", "twice"]
)
@pytest.mark.parametrize(("title", "method"), _MOMENTS)
def test_nothing_is_published_where_a_record_is_lost_or_comes_twice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    title: str,
    method: str,
    spoil: Callable[[pl.DataFrame], pl.DataFrame],
) -> None:
    shuffle, first = Streamed.shuffle, list[int]()

    def spoil_once(part: pl.DataFrame, number: int) -> pl.DataFrame:
        first.extend([] if first or not part.height else [number])
        return spoil(part) if first == [number] else part

    def spoiled(rows: Streamed, by: str, n: int, said: str) -> Streamed:
        made = shuffle(rows, by, n, said)
        return made.map_partitions(spoil_once, made.columns) if said == title else made

    monkeypatch.setattr(Streamed, "shuffle", spoiled)
    people, to = generate_table(300, seed=3), Destination(tmp_path / "release", None)
    to.release.mkdir()
    schema = schema_of(people, TableSchema(columns={"any": ColumnSchema(role=Role.DROP)}))
    assert isinstance(schema, TableSchema)
    models = [] if method == "none" else [promises.read("k-anonymity:k=2")]
    options = {"withhold": Fraction(1, 2 if method == "lattice" else 1_000), "accept": ("empty",)}
    with StreamBackend(tmp_path / "spill", 1 << 24, threads=1) as backend:
        table = partitioned(people, backend)
        with pytest.raises(InternalError, match="lost or written twice"):
            publish_table(table, schema, {}, models, methods.read(method), to, **options)
    assert first, "something was spoiled"
    assert not (to.release / "certificate.json").exists()
