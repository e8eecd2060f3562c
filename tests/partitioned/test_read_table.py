"""A table that stays on disk is understood as one that is read into memory."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.backends.stream import StreamBackend
from shoal.data import Column, Microdata
from shoal.errors import InputError, SchemaError, WordingError
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema, given_schema
from shoal.io.tables.values import typed_values
from shoal.partitioned import read_partitioned_table
from shoal.partitioned.persons import Written, named
from shoal.partitioned.table import InMemory

_COLUMNS = {
    "name": "identifier",
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 30]}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "town": "quasi-identifier",
    "disease": "sensitive",
    "note": "drop",
}

_ages = st.sampled_from(["7", " 31", "31", "", "NA", "62.5", "-1"])
_zips = st.sampled_from(["02139", "02138", "12", " 12 "])
_towns = st.sampled_from(["Ulm", "ulm", "Köln", "", "7"])
_SPELLED = (["ann", "bob ", "bob", "7"], ["7", "7.0", " 7", "8"], ["07", "7", "8"], ["7", "nan"], ["7", "NA"])
_row = st.tuples(_ages, _zips, _towns, st.sampled_from(["flu", "cancer", "NA"]))


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with StreamBackend(folder, 2_000) as backend:
        yield backend


def _schema(**settings: object) -> TableSchema:
    schema = given_schema({"kind": "table", "columns": _COLUMNS, "null": ["NA"], **settings})
    assert isinstance(schema, TableSchema)
    return schema


def _written(folder: Path, rows: list[tuple[str, ...]], names: list[str]) -> Path:
    lines = [",".join((name, *row, "x")) for name, row in zip(names, rows, strict=True)]
    file = folder / "people.csv"
    file.write_text("\n".join(["name,age,zip,town,disease,note", *lines]) + "\n", encoding="utf-8")
    return file


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(_row, min_size=1, max_size=12), data=st.data())
def test_columns_and_records_are_those_of_the_table_in_memory(backend, tmp_path_factory, rows, data) -> None:
    several = data.draw(st.booleans())
    person = {"person": "name"} if several else {}
    spelled = st.sampled_from(data.draw(st.sampled_from(_SPELLED))) if several else st.nothing()
    names = [data.draw(spelled) for _ in rows] if several else [f"p{i}" for i in range(len(rows))]
    file = _written(tmp_path_factory.mktemp("people"), rows, names)
    schema = _schema(**person)
    expected = _read(lambda: shoal.read(file, schema))
    read = _read(lambda: read_partitioned_table(open_data(file, schema), schema, backend))
    if isinstance(expected, str) or isinstance(read, str):
        assert read == expected
        return
    assert isinstance(expected.records, Microdata)
    table, completed = read
    found = table.microdata(table.rows.collect("reading"))
    leaving = [column for column in expected.records.columns if column.role.leaves]
    assert [column.name for column in table.columns] == [column.name for column in leaving]
    for mine, theirs in zip(table.columns, leaving, strict=True):
        assert mine.vocabulary.values.equals(theirs.vocabulary.values, check_dtypes=True)
        assert mine.counts.tolist() == theirs.counts.tolist()
        assert _levels(mine) == _levels(theirs)
    assert table.n_people == expected.records.n_people
    assert table.has_repeated_people == expected.records.has_repeated_people
    assert _rows(found) == _rows(expected.records)
    assert completed.columns == {**expected.schema.columns, **{k: completed.columns[k] for k in ("name", "note")}}


@settings(max_examples=60, deadline=None)
@given(names=st.lists(st.sampled_from(["7", "7.0", "8", " 8", "07", "x", "NA", ""]), min_size=1, max_size=12))
def test_names_are_of_one_type_however_they_are_divided_into_batches(backend, names) -> None:
    texts = pl.Series("name", names, dtype=pl.String)
    rows = named(backend.scan(InMemory(texts.to_frame()), "name"), ["name"], Written(("NA",), as_written=True))
    expected = typed_values(texts, None, ["NA"], as_written=True)
    found = rows.collect("reading")["name"]
    assert Counter(found.cast(pl.String)) == Counter(expected.cast(pl.String))
    assert found.dtype == expected.dtype or expected.null_count() == len(expected)


Read = TypeVar("Read")


def _read(reading: Callable[[], Read]) -> Read | str:
    """Return what is read, or why it is refused."""
    try:
        return reading()
    except InputError as error:
        return f"{type(error).__name__}: {error}"


def _levels(column: Column) -> list[list[int]]:
    return [] if column.hierarchy is None else [level.tolist() for level in column.hierarchy.maps]


def _rows(table: Microdata) -> list[tuple]:
    """Return the records as they are, each with how many records its person has, in an order of their own."""
    columns = [column for column in table.columns if column.role.leaves]
    persons = range(len(table)) if table.persons is None else table.persons.tolist()
    frame = pl.DataFrame([column.values for column in columns]).with_columns(pl.Series("of", list(persons)))
    counted = frame.with_columns(pl.len().over("of").alias("of"))
    return sorted(counted.rows(), key=repr)


def test_an_identifier_that_repeats_is_refused_in_the_same_words(backend, tmp_path: Path) -> None:
    row = ("7", "12", "Ulm", "flu")
    file = _written(tmp_path, [row] * 3, ["ann", "bob", "bob "])
    with pytest.raises(SchemaError) as in_memory:
        shoal.read(file, _schema())
    with pytest.raises(SchemaError) as on_disk:
        read_partitioned_table(open_data(file, _schema()), _schema(), backend)
    assert str(on_disk.value) == str(in_memory.value)


def test_records_without_a_person_are_refused_in_the_same_words(backend, tmp_path: Path) -> None:
    row = ("7", "12", "Ulm", "flu")
    file = _written(tmp_path, [row] * 3, ["ann", "", "NA"])
    schema = _schema(person="name")
    with pytest.raises(InputError) as in_memory:
        shoal.read(file, schema)
    with pytest.raises(InputError) as on_disk:
        read_partitioned_table(open_data(file, schema), schema, backend)
    assert str(on_disk.value) == str(in_memory.value)


def test_check_says_the_same_on_disk_and_in_memory(tmp_path: Path) -> None:
    rows = [("7", "12", "Ulm", "flu"), ("7", "12", "Ulm", "cancer"), ("31", "12", "Ulm", "flu")]
    file = _written(tmp_path, rows, ["ann", "bob", "cy"])
    models = ["k-anonymity:k=2", "l-diversity:l=2", "t-closeness:t=0.1"]
    found = [shoal.check(file, models, _schema(), engine=engine).to_json() for engine in ("local", "stream")]
    for each in found:
        del each["seconds"]
    assert found[0] == found[1]
    told = shoal.check(file, models, _schema(), memory="1").to_json()
    assert told["promises"] == found[0]["promises"]


def test_engines_that_do_not_fit_are_refused_with_a_reason(tmp_path: Path) -> None:
    file = _written(tmp_path, [("7", "12", "Ulm", "flu")] * 2, ["ann", "bob"])
    with pytest.raises(WordingError, match="explain"):
        shoal.check(file, "k-anonymity:k=2", _schema(), engine="stream", explain=tmp_path / "why.csv")
    with pytest.raises(WordingError, match="memory"):
        shoal.check(file, "k-anonymity:k=2", _schema(), memory="lots")
    with pytest.raises(WordingError, match="Only data in files"):
        shoal.check(shoal.read(file, _schema()), "k-anonymity:k=2", engine="stream")
