"""Generated data written straight to files, and read back as the same records."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal import datasets, io
from shoal.data import Column, Microdata, Ratings, Scale
from shoal.datasets.generators import rating_model
from shoal.errors import FileError, WordingError

SIZES: dict[str, dict[str, Any]] = {
    "ratings": {"users": 40, "items": 15, "ratings": 200, "seed": 3},
    "survey": {"respondents": 60, "issues": 6, "sensitive": 2, "seed": 3},
    "table": {"rows": 300, "seed": 3},
}
IN_MEMORY: dict[str, Callable[..., Ratings | Microdata]] = {
    "ratings": datasets.generate_ratings,
    "survey": datasets.generate_survey,
    "table": datasets.generate_table,
}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("kind", ["ratings", "survey"])
def test_written_ratings_are_read_back_the_same(kind, suffix, tmp_path):
    path = tmp_path / f"data.{suffix}"
    schema = datasets.write_generated(kind, path, **SIZES[kind])
    assert schema == tmp_path / "data.schema.toml"
    found, made = io.read(path, io.read_schema(schema)).records, IN_MEMORY[kind](**SIZES[kind])
    assert isinstance(found, Ratings)
    assert isinstance(made, Ratings)
    assert found.scale == made.scale
    assert sorted(cells(found)) == sorted(cells(made))


def cells(ratings: Ratings) -> list[tuple]:
    """Return every rating as outside words, whatever the order of users and items."""
    out = []
    for part in (ratings.observable, ratings.sensitive):
        rows = np.repeat(np.arange(len(part)), np.diff(part.indptr))
        users, items = ratings.users.take(rows).cast(pl.String), part.items.take(part.indices).cast(pl.String)
        out += zip(users, items, part.codes.tolist(), [part is ratings.sensitive] * len(rows), strict=True)
    return out


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_written_table_is_read_back_the_same_with_its_hierarchies(suffix, tmp_path):
    path = tmp_path / f"people.{suffix}"
    schema = datasets.write_generated("table", path, **SIZES["table"])
    found, made = io.read(path, io.read_schema(schema)).records, datasets.generate_table(**SIZES["table"])
    assert isinstance(found, Microdata)
    assert [(column.name, column.role) for column in found.columns] == [(c.name, c.role) for c in made.columns]
    assert found.frame().cast(pl.String).equals(made.frame().cast(pl.String))
    for mine, theirs in zip(found.quasi_identifiers, made.quasi_identifiers, strict=True):
        assert published(mine) == published(theirs)


def published(column: Column) -> list[list[str]]:
    """Return the values of all records at every level."""
    hierarchy = column.hierarchy
    assert hierarchy is not None
    levels = range(hierarchy.height + 1)
    words = [hierarchy.labels[level].take(hierarchy.generalized(column.codes, level)) for level in levels]
    return [word.cast(pl.String).to_list() for word in words]


def test_half_star_ratings_are_written_as_halves(tmp_path):
    scale = Scale.of(0.5, 5, 0.5)
    schema = datasets.write_generated("ratings", tmp_path / "half.parquet", scale=scale, **SIZES["ratings"])
    assert io.read_schema(schema).rating_scale == scale  # type: ignore[union-attr]
    ratings = pl.read_parquet(tmp_path / "half.parquet")["rating"]
    assert set(ratings.unique()) <= {half / 2 for half in range(1, 11)}
    assert (ratings % 1 != 0).any()


def test_the_columns_of_written_ratings_are_small_and_counted_from_one(tmp_path):
    datasets.write_generated("ratings", tmp_path / "r.parquet", **SIZES["ratings"])
    frame = pl.read_parquet(tmp_path / "r.parquet")
    assert dict(frame.schema) == {"user": pl.Int32, "item": pl.Int32, "rating": pl.Int8}
    assert frame["user"].unique().to_list() == list(range(1, 41))
    assert frame["item"].unique().sort().to_list() == list(range(1, 16))


def test_the_same_call_writes_the_same_bytes(tmp_path):
    for name in ("one.parquet", "two.parquet"):
        datasets.write_generated("ratings", tmp_path / name, **SIZES["ratings"])
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path):
    for victim in ("t.csv", "t.schema.toml", "t.race.csv"):
        (tmp_path / victim).write_text("mine")
        with pytest.raises(FileError, match=victim):
            datasets.write_generated("table", tmp_path / "t.csv", **SIZES["table"])
        assert [file.name for file in tmp_path.iterdir()] == [victim]
        assert (tmp_path / victim).read_text() == "mine"
        (tmp_path / victim).unlink()
    (tmp_path / "t.csv").write_text("mine")
    datasets.write_generated("table", tmp_path / "t.csv", force=True, **SIZES["table"])
    assert len(pl.read_csv(tmp_path / "t.csv")) == 300


def test_a_run_that_breaks_leaves_nothing(tmp_path, monkeypatch):
    def broken(self):
        yield pl.DataFrame({"user": [1], "item": [1], "rating": [1]}, schema=self.columns)
        raise OSError("no space")

    monkeypatch.setattr(rating_model.RatingModel, "frames", broken)
    with pytest.raises(FileError):
        datasets.write_generated("ratings", tmp_path / "r.parquet", **SIZES["ratings"])
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"end in \.csv, .* or \.dta"):
        datasets.write_generated("table", tmp_path / "t.txt", **SIZES["table"])
    with pytest.raises(FileError, match="no folder"):
        datasets.write_generated("table", tmp_path / "nowhere" / "t.csv", **SIZES["table"])
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        datasets.write_generated("table", tmp_path / "t.csv", force=True, **SIZES["table"])
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize(
    ("kind", "sizes", "named"),
    [
        ("rating", {}, "ratings, survey, table"),
        ("ratings", {"users": 5, "items": 5}, "needs ratings, seed"),
        ("table", {"rows": 5, "seed": 1, "columns": 3}, "does not take columns"),
        ("table", {"rows": 0, "seed": 1}, "rows = 0"),
        ("ratings", {"users": 5, "items": 5, "ratings": 26, "seed": 1}, "26 ratings"),
    ],
)
def test_what_means_nothing_is_refused_and_nothing_is_written(kind, sizes, named, tmp_path):
    with pytest.raises(WordingError, match=named):
        datasets.write_generated(kind, Path(tmp_path) / "x.csv", **sizes)
    assert list(tmp_path.iterdir()) == []
