"""Every layout and format keeps the laws of readers."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as st

from shoal.data import Microdata, RatingMatrix, Ratings, Records, Scale, Survey, Vocabulary
from shoal.io import RatingsSchema, Schema, TableSchema, read, read_schema, write_records
from shoal.io.schemas.schema_of import schema_of
from shoal.testing import check_reader, ratings, surveys, tables

HALVES = Scale.of("0.5", "5", "0.5")
FIVE = Scale.of(1, 5)
SCALES = (FIVE, HALVES, Scale.of(-10, 10), Scale.of(0, 1, "0.1"))


def scaled(scale: Scale) -> dict[str, Any]:
    return {"scale": (float(scale.lowest), float(scale.highest)), "step": float(scale.step)}


def rated(scale: Scale, *, sensitive: int = 2) -> st.SearchStrategy[Any]:
    """Ratings in which every seen item is rated by somebody: a file of single ratings can hold no others."""
    return ratings(scales=(scale,), max_sensitive=sensitive).map(with_every_item_rated)


def with_every_item_rated(data: Ratings) -> Ratings:
    codes = data.observable.dense()
    codes[0] = np.maximum(codes[0], 0)
    matrix = RatingMatrix.from_dense(data.observable.items, codes, data.scale.dtype)
    return Ratings(data.users, matrix, data.sensitive, data.scale)


def reading(schema: Schema) -> Callable[[Path], Records]:
    return lambda path: read(path, schema).records


# ── long and wide ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
@pytest.mark.parametrize("layout", ["long", "wide"])
@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_ratings_without_a_sensitive_part_keep_the_laws(layout, scale, name):
    schema = RatingsSchema(layout=layout, id=("who",) if layout == "wide" else (), **scaled(scale))
    check_reader(
        reading(schema),
        lambda data, path: write_records(data, schema, path),
        rated(scale, sensitive=0),
        name=name,
        torn=name.endswith("parquet"),
        examples=15,
    )


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_ratings_with_the_schema_they_are_published_with_keep_the_laws(layout, name):
    """The schema that goes with a release says enough to read it back, whatever is sensitive in it."""
    source = RatingsSchema(layout=layout, id=("who",) if layout == "wide" else ())
    schemas = {}

    def write(data: Records, path: Path) -> None:
        schemas[path] = schema_of(data, source)
        write_records(data, schemas[path], path)

    check_reader(lambda path: read(path, schemas[path]).records, write, rated(FIVE), name=name)


# ── movielens ─────────────────────────────────────────────────────────────────────────────────────────────────────


def lines_of(data: Ratings) -> list[tuple[int, int, float]]:
    """Users, items and ratings as numbers, as those collections have them."""
    codes = data.observable.dense()
    published = data.scale.decode(np.arange(data.scale.points, dtype=data.scale.dtype)).tolist()
    return [(int(u), int(i), published[codes[u, i]]) for u, i in zip(*np.nonzero(codes >= 0), strict=True)]


def numbered(data: Ratings) -> Ratings:
    """The same with people and items called by numbers, and nobody without a rating."""
    codes = data.observable.dense()
    codes[:, 0] = np.maximum(codes[:, 0], 0)
    codes[0] = np.maximum(codes[0], 0)
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(codes.shape[1]), codes, data.scale.dtype)
    return Ratings(Vocabulary.numbered(len(data)), matrix, RatingMatrix.empty(len(data), data.scale.dtype), data.scale)


def writing(line: str, *, header: str = "") -> Callable[[Records, Path], None]:
    def write(data: Records, path: Path) -> None:
        assert isinstance(data, Ratings)
        path.write_text(header + "".join(f"{line.format(*cell)}\n" for cell in lines_of(data)))

    return write


@pytest.mark.parametrize(
    ("name", "write", "scale"),
    [
        ("u.data", writing("{}\t{}\t{}\t881250949"), FIVE),
        ("ratings.dat", writing("{}::{}::{}::978300760"), HALVES),
        ("ratings.csv", writing("{},{},{},1112486027", header="userId,movieId,rating,timestamp\n"), HALVES),
    ],
)
def test_the_files_of_movielens_keep_the_laws(name, write, scale):
    schema = RatingsSchema(layout="movielens", **scaled(scale))
    check_reader(reading(schema), write, rated(scale, sensitive=0).map(numbered), name=name)


# ── netflix ───────────────────────────────────────────────────────────────────────────────────────────────────────


def write_netflix(data: Records, path: Path) -> None:
    assert isinstance(data, Ratings)
    text = []
    for item in range(len(data.observable.items)):
        text.append(f"{item}:")
        text += [f"{user},{mark},2005-09-06" for user, at, mark in lines_of(data) if at == item]
    path.write_text("\n".join(text) + "\n")


def test_the_files_of_netflix_keep_the_laws():
    schema = RatingsSchema(layout="netflix", scale=(1, 5))
    check_reader(reading(schema), write_netflix, rated(FIVE, sensitive=0).map(numbered), name="combined_data_1.txt")


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────


def with_plain_values(table: Microdata, fewest: int = 2) -> bool:
    """Whether delimited text can hold the table.

    An empty word is read as missing, and yes and no as words. In a table of one column a missing value is a blank line,
    which at the end of a file is no record; a release always has its pseudonyms beside.
    """
    return len(table.columns) >= fewest and all(
        column.vocabulary.values.dtype != pl.Boolean and "" not in column.vocabulary.values.cast(pl.String).to_list()
        for column in table.columns
    )


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
def test_tables_with_the_schema_they_are_published_with_keep_the_laws(name):
    source = TableSchema.model_validate({"columns": {"any": {"role": "drop"}}})
    schemas = {}

    def write(data: Records, path: Path) -> None:
        schemas[path] = schema_of(data, source)
        write_records(data, schemas[path], path)

    def again(path: Path) -> Records:
        return read(path, schemas[path]).records

    check_reader(
        again,
        write,
        tables().filter(with_plain_values),
        name=name,
        torn=name.endswith("parquet"),
    )


# ── surveys ───────────────────────────────────────────────────────────────────────────────────────────────────────


def with_every_item_answered(survey: Survey) -> Survey:
    return Survey(survey.table, with_every_item_rated(survey.ratings))


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_surveys_with_the_schema_they_are_published_with_keep_the_laws(layout, name):
    source = RatingsSchema(layout=layout, id=("who",) if layout == "wide" else ())
    schemas = {}

    def write(data: Records, path: Path) -> None:
        schema = schema_of(data, source, attributes=f"attributes{path.suffix}")
        write_records(data, schema, path)
        (path.parent / "schema.toml").write_text(schema.to_toml())
        schemas[path] = read_schema(path.parent / "schema.toml")

    drawn = surveys(scales=(FIVE,)).filter(lambda survey: with_plain_values(survey.table, fewest=1))
    check_reader(
        lambda path: read(path, schemas[path]).records,
        write,
        drawn.map(with_every_item_answered),
        name=name,
        torn=name.endswith("parquet"),
    )


def test_a_file_in_an_archive_keeps_the_laws():
    schema = RatingsSchema(layout="long", **scaled(FIVE))

    def write(data: Records, path: Path) -> None:
        inside = io.BytesIO()
        plain = path.with_suffix(".csv")
        write_records(data, schema, plain)
        with zipfile.ZipFile(inside, "w") as archive:
            archive.write(plain, "ratings.csv")
        path.write_bytes(inside.getvalue())

    check_reader(reading(schema), write, rated(FIVE, sensitive=0), name="data.zip", torn=True)


# ── the law itself ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("spoil", "phrase"),
    [
        (lambda text: text.replace("5", "4"), "not what is read back"),
        (lambda text: text.replace("person 0", "person 9"), "not what is read back"),
        (lambda text: "\n".join(text.splitlines()[:-1]) + "\n", "not what is read back"),
    ],
)
def test_a_writer_that_spoils_something_is_caught(spoil, phrase):
    schema = RatingsSchema(layout="long", scale=(1, 5))

    def write(data: Records, path: Path) -> None:
        write_records(data, schema, path)
        path.write_text(spoil(path.read_text()))

    with pytest.raises(AssertionError, match=phrase):
        check_reader(reading(schema), write, st.just(example()))


@pytest.mark.parametrize(
    ("takes", "torn"), [(lambda content: not content, False), (lambda content: 0 < len(content) < 40, True)]
)
def test_a_reader_that_takes_an_empty_or_torn_file_is_caught(takes, torn):
    schema = RatingsSchema(layout="long", scale=(1, 5))

    def gullible(path: Path) -> Records:
        return example() if takes(path.read_bytes()) else read(path, schema).records

    with pytest.raises(AssertionError, match="empty or torn"):
        check_reader(gullible, lambda data, path: write_records(data, schema, path), st.just(example()), torn=torn)


def example() -> Ratings:
    codes = np.array([[4, 0], [4, -1]], np.int32)
    people = Vocabulary(pl.Series(["person 0", "person 1"]))
    return Ratings(
        people, RatingMatrix.from_dense(Vocabulary(pl.Series(["x", "y"])), codes), RatingMatrix.empty(2), FIVE
    )
