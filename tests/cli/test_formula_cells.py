"""A spreadsheet that opens published text runs nothing, and Shoal reads it as it was."""

import csv
import unicodedata
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.files import TABLE_SCHEMA
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Role, Scale, Vocabulary
from shoal.io import RatingsSchema, TableSchema, read, write_records
from shoal.io.folders.write_records import with_escaped_formulas
from shoal.io.schemas import Layout, Schema

STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
WORDS = st.text(
    st.sampled_from("=+-@＝＋－＠'\t\r 1a.e,\"\n\u200b\u2060\ufeff\u00ad\u180e\x01\x1b\x7f"), min_size=1, max_size=6
)
CELLS = WORDS.map(str.strip).filter(bool)
NAMES = CELLS.filter(lambda name: not name.startswith("\ufeff"))  # at the very beginning it is a mark of the encoding
RELAXED = settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.isascii() and cell == cell.strip()


def assert_runs_nothing(path: Path) -> None:
    """Read the file as another program does: no cell, and no name of a column, begins like a formula."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            for cell in row:
                shown = "".join(letter for letter in cell if unicodedata.category(letter) not in ("Cc", "Cf", "Zs"))
                assert not shown.startswith(STARTS) or is_number(cell)
                assert not cell.startswith(("\t", "\r", "\n"))


def written(records: Microdata | Ratings, schema: Schema, path: Path) -> Schema:
    schema = with_escaped_formulas(schema, records)
    write_records(records, schema, path)
    return schema


@given(cells=st.lists(CELLS, min_size=1, max_size=6), name=NAMES)
@RELAXED
def test_tables_are_read_back_as_they_were(cells: list[str], name: str, tmp_path: Path) -> None:
    table = Microdata((Column.encode(name, Role.INSENSITIVE, pl.Series(cells, dtype=pl.String)),))
    plain = TableSchema(columns={name: {"role": "insensitive", "type": "text"}}, delimiter=",")  # type: ignore[arg-type]
    schema = written(table, plain, tmp_path / "data.csv")
    assert_runs_nothing(tmp_path / "data.csv")
    again = read(tmp_path / "data.csv", schema).records
    assert isinstance(again, Microdata)
    assert again.names == (name,)
    assert again[name].values.to_list() == cells


@pytest.mark.parametrize("layout", ["long", "wide"])
@given(items=st.lists(CELLS, min_size=2, max_size=4, unique=True), name=NAMES)
@RELAXED
def test_ratings_are_read_back_as_they_were(layout: Layout, items: list[str], name: str, tmp_path: Path) -> None:
    if name in items or name in ("user", "rating") or all(is_number(item) for item in items):
        return
    codes = [[0] * len(items), [4] * len(items)]
    matrix = RatingMatrix.from_dense(
        Vocabulary(pl.Series(items)), pl.DataFrame(codes).transpose().to_numpy().astype("i4")
    )
    ratings = Ratings(Vocabulary(pl.Series(["u", "v"])), matrix, RatingMatrix.empty(2), Scale.of(-2, 2))
    named = {"id": (name,)} if layout == "wide" else {"item": name, "user": "user", "rating": "rating"}
    plain = RatingsSchema(layout=layout, scale=(-2, 2), delimiter=",", **named)  # type: ignore[arg-type]
    schema = written(ratings, plain, tmp_path / "data.csv")
    assert_runs_nothing(tmp_path / "data.csv")
    again = read(tmp_path / "data.csv", schema).records
    assert isinstance(again, Ratings)
    assert set(again.observable.items.values.to_list()) == set(items)
    assert again.n_ratings == 2 * len(items)


def test_numbers_stay_as_they_are_and_a_schema_says_only_what_is_needed(tmp_path: Path) -> None:
    table = Microdata((Column.encode("a", Role.INSENSITIVE, pl.Series(["-5", "+1.5e3", "it's", "[-5, 3)"])),))
    plain = TableSchema(columns={"a": {"role": "insensitive", "type": "text"}})  # type: ignore[arg-type]
    schema = written(table, plain, tmp_path / "data.csv")
    assert schema == plain
    assert (tmp_path / "data.csv").read_text(encoding="utf-8").splitlines()[1:3] == ["-5", "+1.5e3"]


def test_a_release_with_formulas_is_published_and_verified(run, tmp_path: Path) -> None:
    """Values, labels and names of columns; counts of people, too."""
    formulas = ("=HYPERLINK(A1)", "@SUM(1)", "-2+3", "＝1+1")
    lines = ["name,age,zip,visit,=disease"]
    lines += [f"p{i // 2},{20 + i % 5},-1{i % 10},x,{formulas[i % 4]}" for i in range(80)]
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    schema = TABLE_SCHEMA.replace("[columns.disease]", '[columns."=disease"]').replace(
        'hierarchy = { kind = "mask" }', 'hierarchy = { kind = "mask" }\ntype = "text"'
    )
    (tmp_path / "s.toml").write_text('person = "name"\n' + schema, encoding="utf-8")
    data = (tmp_path / "d.csv", "--schema", tmp_path / "s.toml")
    promises = ("-m", "k-anonymity:k=4", "-m", "l-diversity:l=2,kind=entropy")
    for form in ("csv", "parquet"):
        out, ledger = tmp_path / form, tmp_path / f"{form}-ledger"
        asked = (*promises, "--method", "lattice", "--format", form, "--out", out, "--ledger", ledger)
        assert run("publish", *data, *asked).status == 0
        assert run("verify", out, "--ledger", ledger).status == 0
        assert run("measure", out, "--ledger", ledger).status == 0
        assert ("escaped_formulas = true" in (out / "schema.toml").read_text(encoding="utf-8")) == (form == "csv")
        assert_runs_nothing(out / "people.csv")
    assert_runs_nothing(tmp_path / "csv" / "data.csv")
    kept = pl.read_parquet(tmp_path / "parquet" / "data.parquet")
    assert set(kept["=disease"]) == set(formulas)
    assert "'=disease" in (tmp_path / "csv" / "data.csv").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("unseen", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u180e", "\x01", "\x1f", "\x7f", "\u202e"])
def test_a_formula_after_what_is_not_shown_is_escaped(tmp_path: Path, unseen: str) -> None:
    cells = [f"{unseen}=1+1", f" {unseen} ={unseen}", f"{unseen}1", unseen + "'=1"]
    table = Microdata((Column.encode("a", Role.INSENSITIVE, pl.Series(cells)),))
    plain = TableSchema(columns={"a": {"role": "insensitive", "type": "text"}}, delimiter=",")  # type: ignore[arg-type]
    schema = written(table, plain, tmp_path / "data.csv")
    assert schema.escaped_formulas
    assert_runs_nothing(tmp_path / "data.csv")
    again = read(tmp_path / "data.csv", schema).records
    assert isinstance(again, Microdata)
    assert again["a"].values.to_list() == [cell.strip(" ") for cell in cells]


def test_a_cell_of_line_ends_alone_is_escaped(tmp_path: Path) -> None:
    table = Microdata((Column.encode("a", Role.INSENSITIVE, pl.Series(["\n", "x"])),))
    plain = TableSchema(columns={"a": {"role": "insensitive", "type": "text"}}, delimiter=",")  # type: ignore[arg-type]
    written(table, plain, tmp_path / "data.csv")
    assert_runs_nothing(tmp_path / "data.csv")
