"""What is written is what is read, and what other programs write is read as they mean it."""

import csv
import gzip
import io
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Role, Scale, Vocabulary
from shoal.errors import FileError
from shoal.io import RatingsSchema, TableSchema, read, write_records
from shoal.io.schemas import Layout


def table_schema(columns: dict[str, Any], **settings: Any) -> TableSchema:
    return TableSchema(columns=columns, **settings)


RELAXED = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])

LETTERS = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
TEXTS = st.text(LETTERS, min_size=1, max_size=8) | st.sampled_from(
    ['"', '""', ",", "a\nb", "a\r\nb", "é☃", "007", "NA"]
)
Cells = dict[tuple[str, str], float]


def not_all_numbers(ids: list[str]) -> bool:
    return not all(text.lstrip("-").isdigit() for text in ids)


IDS = st.lists(TEXTS, min_size=1, max_size=6, unique=True).filter(not_all_numbers)
NAMES = st.lists(TEXTS.map(str.strip).filter(bool), min_size=1, max_size=6, unique=True).filter(not_all_numbers)


@given(data=st.data(), form=st.sampled_from(["csv", "parquet"]), layout=st.sampled_from(["long", "wide"]))
@RELAXED
def test_ratings_are_read_as_they_were_written(data: st.DataObject, form: str, layout: Layout, tmp_path: Path) -> None:
    users, items = data.draw(IDS), data.draw(NAMES)
    scale = data.draw(st.sampled_from([(1, 5, 1), (0.5, 5, 0.5), (-10, 10, 1), (0, 1, 0.1)]))
    ratings, cells = random_ratings(data, users, items, scale)
    sensitive = tuple(ratings.sensitive.items.values.to_list())
    schema = RatingsSchema(layout=layout, scale=scale[:2], step=scale[2], sensitive=sensitive)
    if layout == "wide":
        assume("who" not in items)
        schema = schema.model_copy(update={"id": ("who",), "items": tuple(items)})
    path = tmp_path / f"data.{form}"
    write_records(ratings, schema, path)
    again = read(path, schema).records
    assert isinstance(again, Ratings)
    assert cells_of(again) == cells
    assert set(again.users.values.to_list()) == set(users)
    assert set(again.sensitive.items.values.to_list()) == set(sensitive)
    assert again.scale == ratings.scale
    assert layout == "long" or again.users.values.to_list() == users


@given(data=st.data(), delimiter=st.sampled_from(",;\t|"), newline=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
@RELAXED
def test_files_of_the_csv_module_are_read_as_it_means_them(
    data: st.DataObject, delimiter: str, newline: str, bom: bool, tmp_path: Path
) -> None:
    users, items = data.draw(IDS), data.draw(IDS)
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(users), st.sampled_from(items)), min_size=1, unique=True))
    cells = {pair: data.draw(st.integers(1, 5)) for pair in pairs}
    assume(not_all_numbers([user for user, _ in pairs]) and not_all_numbers([item for _, item in pairs]))
    text = io.StringIO(newline="")
    # the csv module leaves a bare \r unquoted, unless it quotes everything
    quoting = csv.QUOTE_ALL if any("\r" in text for pair in pairs for text in pair) else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=quoting)
    writer.writerow(["rating", "user", "when", "item"])
    writer.writerows([rating, user, "2001-01-01", item] for (user, item), rating in cells.items())
    path = tmp_path / "data.csv"
    path.write_bytes(b"\xef\xbb\xbf" * bom + text.getvalue().encode())
    schema = RatingsSchema(layout="long", scale=(1, 5), delimiter=delimiter)
    records = read(path, schema).records
    assert isinstance(records, Ratings)
    assert cells_of(records) == cells


@given(data=st.data(), form=st.sampled_from(["csv", "parquet"]))
@RELAXED
def test_tables_are_read_as_they_were_written(data: st.DataObject, form: str, tmp_path: Path) -> None:
    n = data.draw(st.integers(1, 8))
    whole = data.draw(st.lists(st.none() | st.integers(-(10**17), 10**17), min_size=n, max_size=n))
    real = data.draw(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=n, max_size=n))
    text = data.draw(st.lists(st.none() | TEXTS.map(str.strip).filter(bool), min_size=n, max_size=n))
    days = data.draw(st.lists(st.none() | st.dates(date(1700, 1, 1), date(2300, 1, 1)), min_size=n, max_size=n))
    times = data.draw(st.lists(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), min_size=n, max_size=n))
    series = {
        "whole": pl.Series(whole, dtype=pl.Int64),
        "real": pl.Series(real, dtype=pl.Float64),
        "text": pl.Series(text, dtype=pl.String),
        "days": pl.Series(days, dtype=pl.Date),
        "times": pl.Series(times, dtype=pl.Datetime("us")),
    }
    kinds = {"whole": "number", "real": "number", "text": "text", "days": "date", "times": "date"}
    table = Microdata(tuple(Column.encode(name, Role.INSENSITIVE, values) for name, values in series.items()))
    schema = table_schema(columns={name: {"role": "insensitive", "type": kinds[name]} for name in series})
    path = tmp_path / f"data.{form}"
    write_records(table, schema, path)
    again = read(path, schema).records
    assert isinstance(again, Microdata)
    assert again.frame().rows() == list(zip(whole, real, text, days, times, strict=True))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_person_without_ratings_and_a_sensitive_item_without_stay(form: str, tmp_path: Path) -> None:
    dense = np.array([[-1, -1], [0, 4]], np.int32)
    nothing = np.full((2, 1), -1, np.int32)
    ratings = Ratings(
        Vocabulary(pl.Series(["silent", "loud"])),
        RatingMatrix.from_dense(Vocabulary(pl.Series(["a", "b"])), dense),
        RatingMatrix.from_dense(Vocabulary(pl.Series(["c"])), nothing),
        Scale.of(1, 5),
    )
    schema = RatingsSchema(layout="long", scale=(1, 5), sensitive=("c",))
    write_records(ratings, schema, tmp_path / f"data.{form}")
    again = read(tmp_path / f"data.{form}", schema).records
    assert isinstance(again, Ratings)
    assert again.users.values.to_list() == ["loud", "silent"]
    assert again.sensitive.items.values.to_list() == ["c"]
    assert cells_of(again) == {("loud", "a"): 1, ("loud", "b"): 5}


def test_blocks_join_without_a_seam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["shoal.io.folders.write_records"], "_CELLS_A_BLOCK", 7)
    monkeypatch.setattr(sys.modules["shoal.io.formats.tabular_file"], "_BATCH", 5)
    dense = np.random.default_rng(1).integers(-1, 5, (40, 6)).astype(np.int32)
    items = Vocabulary(pl.Series([10, 20, 30, 40, 50, 60]))
    ratings = Ratings(
        Vocabulary.numbered(40), RatingMatrix.from_dense(items, dense), RatingMatrix.empty(40), Scale.of(1, 5)
    )
    for form in ("csv", "parquet"):
        schema = RatingsSchema(layout="long", scale=(1, 5))
        write_records(ratings, schema, tmp_path / f"long.{form}")
        again = read(tmp_path / f"long.{form}", schema).records
        assert isinstance(again, Ratings)
        assert (again.observable.dense() == dense).all()
        schema = RatingsSchema(layout="wide", scale=(1, 5), id=("who",))
        write_records(ratings, schema, tmp_path / f"wide.{form}")
        again = read(tmp_path / f"wide.{form}", schema).records
        assert isinstance(again, Ratings)
        assert (again.observable.dense() == dense).all()


def test_whole_ratings_are_written_whole_and_halves_as_halves(tmp_path: Path) -> None:
    codes = RatingMatrix.from_dense(Vocabulary(pl.Series(["a"])), np.array([[6]], np.int32))
    for scale, published in ((Scale.of(1, 7), "x,a,7\n"), (Scale.of("0.5", 5, "0.5"), "x,a,3.5\n")):
        ratings = Ratings(Vocabulary(pl.Series(["x"])), codes, RatingMatrix.empty(1), scale)
        write_records(ratings, RatingsSchema(layout="long"), tmp_path / "data.csv")
        assert (tmp_path / "data.csv").read_text() == "user,item,rating\n" + published


def test_ids_of_ten_thousand_letters_come_back(tmp_path: Path) -> None:
    long_id = 'é,"\n' * 2500
    codes = RatingMatrix.from_dense(Vocabulary(pl.Series(["a" * 10_000])), np.array([[6]], np.int32))
    ratings = Ratings(Vocabulary(pl.Series([long_id])), codes, RatingMatrix.empty(1), Scale.of(1, 7))
    for name in ("long.csv", "long.parquet"):
        write_records(ratings, RatingsSchema(layout="long"), tmp_path / name)
        again = read(tmp_path / name, RatingsSchema(scale=(1, 7))).records
        assert isinstance(again, Ratings)
        assert cells_of(again) == {(long_id, "a" * 10_000): 7}
    path = tmp_path / "long.csv.gz"
    path.write_bytes(gzip.compress((tmp_path / "long.csv").read_bytes()))
    assert read(path, RatingsSchema(scale=(1, 7))).records.users.values.to_list() == [long_id]  # type: ignore[union-attr]


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    table = Microdata((Column.encode("a", Role.INSENSITIVE, pl.Series([1])),))
    schema = table_schema(columns={"a": {"role": "insensitive"}})
    for name in ("none/data.csv", "none/data.parquet"):
        with pytest.raises(FileError, match="cannot be written"):
            write_records(table, schema, tmp_path / name)
    with pytest.raises(FileError, match="does not say which format"):
        write_records(table, schema, tmp_path / "data.abc")


def random_ratings(
    data: st.DataObject, users: list[str], items: list[str], scale: tuple[float, float, float]
) -> tuple[Ratings, Cells]:
    """Draw ratings, in which every item is rated, and say in plain words what they are."""
    real = Scale.of(*scale)
    n_observable = data.draw(st.integers(0, len(items)))
    shape = (len(users), len(items))
    flat = data.draw(
        st.lists(st.integers(-1, real.points - 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    )
    codes = np.array(flat, np.int32).reshape(shape)
    codes[0] = np.maximum(codes[0], 0)
    parts = (slice(0, n_observable), slice(n_observable, None))
    observable, sensitive = (
        RatingMatrix.from_dense(Vocabulary(pl.Series(items[part], dtype=pl.String)), codes[:, part]) for part in parts
    )
    cells = {
        (user, item): round(scale[0] + int(codes[i, j]) * scale[2], 9)
        for i, user in enumerate(users)
        for j, item in enumerate(items)
        if codes[i, j] >= 0
    }
    return Ratings(Vocabulary(pl.Series(users)), observable, sensitive, real), cells


def cells_of(ratings: Ratings) -> Cells:
    """Tell ratings cell by cell."""
    cells = {}
    for part in (ratings.observable, ratings.sensitive):
        items = part.items.values.to_list()
        for i, user in enumerate(ratings.users.values.to_list()):
            for j in range(part.indptr[i], part.indptr[i + 1]):
                code = int(part.codes[j])
                value = float(ratings.scale.lowest + code * ratings.scale.step)
                assert (user, items[part.indices[j]]) not in cells
                cells[user, items[part.indices[j]]] = round(value, 9)
    return cells
