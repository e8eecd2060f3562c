"""Every format that is written is read back as it was meant, or refuses what it cannot hold: nothing is altered."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import shoal
from io_files import ratings_of, ratings_schema
from shoal.data import Column, Microdata, Role
from shoal.errors import InputError
from shoal.io import TableSchema, read, write_records
from shoal.io.formats.registry import writable_formats
from shoal.testing import check_reader

ENDINGS = [each.ending for each in writable_formats()]
RELAXED = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)

LETTERS = st.characters(exclude_categories=["Cs"])
WILD = st.text(LETTERS, min_size=1, max_size=8) | st.sampled_from(
    [
        "=1+1",
        "+1",
        "@x",
        "_x0041_",
        "\x01",
        "\0",
        "a\r\nb",
        "a\rb",
        "'",
        "007",
        "1e5",
        "nan",
        "true",
        "2020-01-01",
        "x" * 40_000,
    ]
)
TAME = st.text("abcäéß日 -=", min_size=1, max_size=8).map(str.strip).filter(bool) | st.sampled_from(
    ["007", "=1+1", "1"]
)
WHOLE = st.integers(-(10**9), 10**9) | st.integers(1 - 10**18, 10**18 - 1)
REAL = st.floats(allow_nan=False, allow_infinity=False)
DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))
TIMES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31))
TYPES: dict[str, Any] = {
    "whole": pl.Int64,
    "real": pl.Float64,
    "text": pl.String,
    "days": pl.Date,
    "times": pl.Datetime("us"),
}


def table_of(columns: dict[str, list[Any]]) -> Microdata:
    names = [f"r{i}" for i in range(len(columns["whole"]))]
    series = {"record": pl.Series(names)} | {
        name: pl.Series(values, dtype=TYPES[name]) for name, values in columns.items()
    }
    return Microdata(tuple(Column.encode(name, Role.INSENSITIVE, values) for name, values in series.items()))


def schema_of(table: Microdata) -> TableSchema:
    kinds = {"whole": "number", "real": "number", "days": "date", "times": "date"}
    columns: Any = {name: {"role": "insensitive", "type": kinds.get(name, "text")} for name in table.names}
    return TableSchema(columns=columns)


def columns_of(n: int, **kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, list[Any]]]:
    return st.fixed_dictionaries(
        {name: st.lists(st.none() | kind, min_size=n, max_size=n) for name, kind in kinds.items()}
    )


TAME_TABLES = st.integers(1, 6).flatmap(
    lambda n: columns_of(
        n,
        whole=st.integers(-(10**9), 10**9),
        real=st.floats(-1e9, 1e9).filter(lambda x: not x.is_integer() and abs(x) > 1e-300),
        text=TAME,
        days=st.dates(date(1901, 1, 1), date(2200, 1, 1)),
        times=st.datetimes(datetime(1901, 1, 1), datetime(2200, 1, 1)),
    ).map(table_of)
)
WILD_TABLES = st.integers(1, 6).flatmap(
    lambda n: columns_of(n, whole=WHOLE, real=REAL, text=WILD, days=DAYS, times=TIMES).map(table_of)
)


@pytest.mark.parametrize("ending", ENDINGS)
def test_readers_keep_their_laws(ending: str) -> None:
    check_reader(
        lambda path: read(path, schema_of(table_of({name: [] for name in TYPES}))).records,
        lambda table, path: write_records(table, schema_of(table), path),  # type: ignore[arg-type]
        TAME_TABLES,  # type: ignore[arg-type]
        name=f"data{ending}",
        torn=ending not in (".csv", ".ndjson"),
        examples=25,
    )


@pytest.mark.parametrize("ending", ENDINGS)
@given(table=WILD_TABLES)
@RELAXED
def test_a_table_is_read_as_it_was_meant_or_refused(ending: str, table: Microdata, tmp_path: Path) -> None:
    path = tmp_path / f"data{ending}"
    try:
        write_records(table, schema_of(table), path)
    except InputError:
        assume(ending not in (".csv", ".parquet", ".ndjson"))  # those hold everything
        return
    try:
        again = read(path, schema_of(table)).records
    except InputError:  # text that holds a zero byte
        assert any("\0" in str(word) for word in table["text"].values)
        return
    assert again.frame().rows() == stripped(table).frame().rows()  # type: ignore[union-attr]


def stripped(table: Microdata) -> Microdata:
    """Return a table as any reader returns it: without spaces around text."""
    text = table["text"].values.str.strip_chars().replace("", None)
    return table.replaced((Column.encode("text", Role.INSENSITIVE, text),))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_ratings_are_read_as_they_were_meant(ending: str, layout: str, tmp_path: Path) -> None:
    cells = {("ann", "a"): 1.5, ("ann", "c"): 5.0, ("bob", "b"): 0.5, ("eve", "a"): 3.0}
    ratings, schema = ratings_of(cells, (0.5, 5, 0.5)), ratings_schema(layout, (0.5, 5), 0.5)
    write_records(ratings, schema, tmp_path / f"data{ending}")
    again = read(tmp_path / f"data{ending}", schema).records
    assert again.scale == ratings.scale  # type: ignore[union-attr]
    assert (again.observable.dense() == ratings.observable.dense()).all()  # type: ignore[union-attr]
    assert again.users.values.to_list() == ["ann", "bob", "eve"]  # type: ignore[union-attr]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_records_are_the_same_bytes(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(
        {
            "whole": [1, None],
            "real": [0.1, 2.5],
            "text": ["a", "=b"],
            "days": [date(2020, 1, 1)] * 2,
            "times": [datetime(2020, 1, 1, 1), None],
        }
    )
    written = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / f"data{ending}"
        write_records(table, schema_of(table), path)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    year = str(datetime.now().year).encode()
    assert year not in written[0]
    assert str(tmp_path).encode() not in written[0]


@pytest.mark.parametrize(("ending", "year"), [("sav", 1970), ("dta", 1960)])
def test_files_of_survey_programs_do_not_say_when_they_were_made(ending: str, year: int, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    table = table_of({"whole": [1], "real": [0.5], "text": ["a"], "days": [None], "times": [None]})
    write_records(table, schema_of(table), tmp_path / f"data.{ending}")
    _, meta = getattr(pyreadstat, f"read_{ending}")(tmp_path / f"data.{ending}", output_format="polars")
    assert meta.creation_time.year == year
    assert not meta.file_label


@pytest.mark.parametrize("format_", ["csv", "excel", "ndjson", "parquet"])
def test_long_whole_numbers_of_a_frame_stay_apart_in_a_release(format_: str, tmp_path: Path) -> None:
    ids = [2**53, 2**53 + 1, 2**62, 2**62 + 1] * 2
    schema: Any = {"kind": "table", "columns": {"q": {"role": "quasi-identifier"}, "id": {"role": "insensitive"}}}
    frame = pl.DataFrame({"q": [1] * 8, "id": ids})
    plan: Any = {"models": "k-anonymity:k=2", "out": tmp_path / "out", "format": format_}
    shoal.publish(data=frame, schema=schema, **plan)
    assert sorted(shoal.open_release(tmp_path / "out").to_polars()["id"]) == sorted(ids)
