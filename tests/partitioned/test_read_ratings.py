"""Ratings that stay on disk are understood as those that are read into memory, or refused in the same words."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.assumed import assumptions
from shoal.backends.engine_name import EngineName
from shoal.errors import InputError, WordingError

_users = st.sampled_from(["7", "8", "31", "-4"]) | st.sampled_from(["ann", "bob", "007", "7", " 7"])
_items = st.sampled_from(["1", "2", "3"]) | st.sampled_from(["Alien", "Brazil", "1", "01"])
_marks = st.sampled_from(["1", "3", "5"]) | st.sampled_from(["4.0", "2", "", "NA"])
_lines = st.lists(st.tuples(_users, _items, _marks), min_size=1, max_size=14, unique_by=lambda line: line[:2])
_SCHEMA = {"kind": "ratings", "layout": "long", "scale": [1, 5], "null": ["NA"]}
_MODELS = ["k-epsilon:k=2,epsilon=1", "k-anonymity:k=2", "k-epsilon:k=2,epsilon=4"]


def _written(folder: Path, lines: list[tuple[str, ...]], header: str = "user,item,rating") -> Path:
    file = folder / "films.csv"
    file.write_text("\n".join([header, *map(",".join, lines)]) + "\n", encoding="utf-8")
    return file


def _checked(data: Path, engine: EngineName, models=_MODELS, schema=_SCHEMA, **settings) -> dict | str:
    """Return what is said of the data, or why they are refused."""
    try:
        said = shoal.check(data, models, schema, engine=engine, **settings).to_json()
    except InputError as error:
        return f"{type(error).__name__}: {error}"
    del said["seconds"]
    return said


@settings(max_examples=60, deadline=None)
@given(lines=_lines, sensitive=st.lists(st.sampled_from(["1", "Alien", "2"]), max_size=1))
def test_check_says_the_same_of_files_on_disk_and_in_memory(tmp_path_factory, lines, sensitive) -> None:
    file = _written(tmp_path_factory.mktemp("films"), lines)
    schema = {**_SCHEMA, "sensitive": sensitive}
    models = [*_MODELS, "k-epsilon:k=2,epsilon=1,l=1"] if sensitive else _MODELS
    on_disk = _checked(file, "stream", models, schema, memory="20KiB")
    assert on_disk == _checked(file, "local", models, schema)


@settings(max_examples=40, deadline=None)
@given(lines=st.lists(st.tuples(_users, _items, st.sampled_from(["1", "0", "3", ""])), min_size=1, max_size=14))
def test_sets_may_repeat_an_item(tmp_path_factory, lines) -> None:
    file = _written(tmp_path_factory.mktemp("bought"), lines, "user,item,count")
    schema = {"kind": "sets", "layout": "long"}
    on_disk = _checked(file, "stream", ["k-anonymity:k=2"], schema, memory="20KiB")
    assert on_disk == _checked(file, "local", ["k-anonymity:k=2"], schema)


@pytest.mark.parametrize(
    ("lines", "schema"),
    [
        ([("a", "x", "1"), ("b", "x", "2"), ("a", "x", "3"), ("a", "x", "")], _SCHEMA),
        ([("", "x", "1"), ("b", "x", "2")], _SCHEMA),
        ([("a", "", "1"), ("b", "", "2"), ("", "x", "2")], _SCHEMA),
        ([("a", "x", "9"), ("b", "x", "2")], _SCHEMA),
        ([("a", "x", "many"), ("b", "x", "2")], _SCHEMA),
        ([("a", "x", "1"), ("b", "x", "2")], {**_SCHEMA, "sensitive": ["y"]}),
        ([("a", "x", "1"), ("b", "x", "1")], None),
        ([("a", "x", "4,5"), ("b", "x", "1")], None),
        ([("a", "x", "1"), ("b", "x", "2")], {**_SCHEMA, "rating": "stars"}),
    ],
)
def test_what_cannot_be_read_is_refused_in_the_same_words(tmp_path: Path, lines, schema) -> None:
    file = _written(tmp_path, [tuple(f'"{each}"' if "," in each else each for each in line) for line in lines])
    refused = _checked(file, "local", schema=schema)
    assert isinstance(refused, str)
    assert _checked(file, "stream", schema=schema) == refused


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.String, pl.UInt32, pl.Int8])
def test_types_and_parts_of_parquet_files_do_not_matter(tmp_path: Path, dtype) -> None:
    chance = np.random.default_rng(3)
    pairs = chance.permutation(600)[:300]
    frame = pl.DataFrame(
        {"user": pairs // 6, "item": pairs % 6, "rating": chance.integers(1, 4, len(pairs))}
    ).with_columns(pl.col("rating").cast(dtype), pl.col("item").cast(dtype), pl.col("user").cast(dtype))
    parts = tmp_path / "films"
    parts.mkdir()
    for number, part in enumerate(frame.iter_slices(70)):
        part.write_parquet(parts / f"part-{number}.parquet")
    schema = {**_SCHEMA, "user": "user", "item": "item", "rating": "rating"}
    expected = _checked(parts, "local", schema=schema)
    assert isinstance(expected, dict), expected
    assert _checked(parts, "stream", schema=schema, memory="200KiB") == expected


def test_floats_that_are_no_numbers_are_refused_in_the_same_words(tmp_path: Path) -> None:
    frame = pl.DataFrame({"user": [1, 2, 3], "item": [1, 1, 1], "rating": [1.0, float("nan"), None]})
    file = tmp_path / "films.parquet"
    frame.write_parquet(file)
    assert _checked(file, "stream") == _checked(file, "local")
    declared = {**_SCHEMA, "null": ["NaN"]}
    assert _checked(file, "stream", schema=declared) == _checked(file, "local", schema=declared)


def test_dates_are_published_in_periods_on_disk_too(tmp_path: Path) -> None:
    lines = [("a", "x", "1", "2020-01-05"), ("b", "x", "2", "2020-01-31"), ("c", "x", "2", "2020-02-01")]
    file = _written(tmp_path, [*lines, ("a", "x", "1", "2020-02-05")], "user,item,rating,date")
    schema = {**_SCHEMA, "date": "date", "dates": "month", "sensitive": []}
    assert _checked(file, "stream", schema=schema) == _checked(file, "local", schema=schema)


def test_large_ratings_stay_on_disk_by_themselves(tmp_path: Path) -> None:
    rated = [(user, item) for user in range(200) for item in range(6) if (user % 63 + 1) >> item & 1]
    file = _written(tmp_path, [(str(user), str(item), str(1 + (user + item) % 5)) for user, item in rated])
    with assumptions() as heard:
        on_disk = _checked(file, "auto", memory="3000")
    assert any("--engine stream" in each for each in heard)
    assert on_disk == _checked(file, "auto")
    partition = "k-epsilon:k=2,epsilon=4,semantics=partition"
    with assumptions() as heard:
        in_memory = _checked(file, "auto", [partition], memory="3000")
    assert any("read into memory" in each for each in heard)
    assert in_memory == _checked(file, "local", [partition])


def test_what_needs_memory_is_refused_with_a_reason(tmp_path: Path) -> None:
    file = _written(tmp_path, [("a", "x", "1"), ("b", "x", "2")])
    with pytest.raises(WordingError, match="Repeated ratings"):
        shoal.check(file, _MODELS, _SCHEMA, engine="stream", duplicates="last")
    with pytest.raises(WordingError, match="one a line"):
        shoal.check(file, _MODELS, {"kind": "ratings", "layout": "wide", "scale": [1, 5]}, engine="stream")
    with pytest.raises(WordingError, match="semantics=neighborhood"):
        shoal.check(file, "k-epsilon:k=2,epsilon=1,semantics=partition", _SCHEMA, engine="stream")
