"""A fingerprint tells whether records are the same, whatever file they came from."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.data import Column, Hierarchy, Microdata, RatingMatrix, Ratings, Role, Scale, Vocabulary
from shoal.data.fingerprint import fingerprint
from shoal.io import RatingsSchema, read


def test_the_form_of_the_file_does_not_matter(tmp_path: Path) -> None:
    frame = pl.DataFrame({"user": ["a", "a", "b"], "item": ["x", "y", "y"], "rating": [1, 2, 5]})
    frame.write_csv(tmp_path / "r.csv")
    frame.write_parquet(tmp_path / "r.parquet")
    schema = RatingsSchema(scale=(1, 5))
    published = {fingerprint(read(tmp_path / name, schema).records) for name in ("r.csv", "r.parquet")}
    assert len(published) == 1


def ratings(users: list[str], codes: list[list[int]], items: list[str], highest: int = 5) -> Ratings:
    dense = np.array(codes, dtype=np.int32)
    observable = RatingMatrix.from_dense(Vocabulary(pl.Series(items)), dense)
    return Ratings(Vocabulary(pl.Series(users)), observable, RatingMatrix.empty(len(dense)), Scale.of(1, highest))


def test_everything_ratings_consist_of_matters() -> None:
    codes = [[0, -1], [2, 3]]
    whole = ratings(["a", "b"], codes, ["x", "y"])
    others = [
        ratings(["a", "c"], codes, ["x", "y"]),
        ratings(["ab", ""], codes, ["x", "y"]),
        ratings(["a", "b"], [[0, 0], [2, 3]], ["x", "y"]),
        ratings(["a", "b"], [[-1, 0], [2, 3]], ["x", "y"]),
        ratings(["a", "b"], [[2, 3], [0, -1]], ["x", "y"]),
        ratings(["a", "b"], codes, ["y", "x"]),
        ratings(["a", "b"], codes, ["x", "y"], highest=7),
        replace(whole, observable=whole.sensitive, sensitive=whole.observable),
    ]
    assert len({fingerprint(each) for each in [whole, *others]}) == 1 + len(others)
    assert fingerprint(whole) == fingerprint(ratings(["a", "b"], codes, ["x", "y"]))


def people(change: Callable[[Column], Column] = lambda column: column) -> Microdata:
    column = Column.encode("zip", Role.QUASI_IDENTIFIER, pl.Series(["4350", "4370", None]))
    return Microdata((change(column.with_hierarchy(Hierarchy.from_masks(column.vocabulary))),))


@pytest.mark.parametrize(
    "change",
    [
        lambda column: replace(column, name="postcode"),
        lambda column: replace(column, role=Role.SENSITIVE),
        lambda column: replace(column, codes=column.codes[::-1].copy()),
        lambda column: replace(column, hierarchy=None),
        lambda column: column.with_hierarchy(Hierarchy.from_columns([column.vocabulary.values, pl.Series(["*"] * 3)])),
        lambda column: replace(column, vocabulary=Vocabulary(column.vocabulary.values.fill_null(""))),
        lambda column: replace(column, vocabulary=Vocabulary(column.vocabulary.values.cast(pl.Int64))),
        lambda column: replace(column, categories=(("4350",),)),
    ],
)
def test_everything_a_table_consists_of_matters(change: Callable[[Column], Column]) -> None:
    assert fingerprint(people(change)) != fingerprint(people())
    assert fingerprint(people()) == fingerprint(people())
