"""Ratings in any order of lines, cut into batches in any way, become the records of a dictionary."""

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.io.ratings.compressed import GatheredRatings
from shoal.io.ratings.long import ratings_of_batches
from shoal.io.schemas import RatingsSchema

LINES = st.dictionaries(
    st.tuples(st.sampled_from("pqrstu"), st.integers(1, 9)), st.sampled_from([None, 1.0, 1.5, 3.25, 4.75, 5.0])
)


@settings(max_examples=150, deadline=None)
@given(
    lines=LINES,
    order=st.sampled_from(["by user and item", "by user", "by item", "any"]),
    borders=st.lists(st.integers(0, 60), max_size=4),
    numbers=st.booleans(),
    data=st.data(),
)
def test_records_are_those_of_a_dictionary(lines, order, borders, numbers, data) -> None:
    cells = data.draw(st.permutations(sorted(lines.items())))
    keys = {"by user and item": lambda cell: cell[0], "by user": lambda cell: cell[0][0], "by item": lambda c: c[0][1]}
    if order in keys:
        cells = sorted(cells, key=keys[order])
    if not any(mark is not None for _, mark in cells):
        return
    ends = sorted({0, len(cells), *(min(border, len(cells)) for border in borders)})
    batches = [batch(cells[start:end], numbers=numbers) for start, end in itertools.pairwise(ends)]
    schema = RatingsSchema(scale=(1, 5), step=0.25)
    ratings, _ = ratings_of_batches(iter(batches), schema, "refuse")
    users, items = (ratings.users.values.to_list(), ratings.observable.items.values.to_list())
    assert users == sorted({"pqrstu".index(user) if numbers else user for (user, _), _ in cells})
    dense = ratings.observable.dense()
    held = {
        (users[row], items[column]): 1 + dense[row, column] / 4
        for row, column in zip(*np.nonzero(dense >= 0), strict=True)
    }
    expected = {
        ("pqrstu".index(user) if numbers else user, item): mark for (user, item), mark in cells if mark is not None
    }
    assert held == expected


def batch(cells, *, numbers: bool) -> tuple[pl.Series, pl.Series, pl.Series]:
    users = [user for (user, _), _ in cells]
    series = pl.Series(["pqrstu".index(user) for user in users]) if numbers else pl.Series(users)
    marks = pl.Series([mark for _, mark in cells], dtype=pl.Float64)
    return series, pl.Series([item for (_, item), _ in cells]), marks


@pytest.mark.parametrize("runs", [1, 50])
def test_batches_are_given_back_as_they_came(runs) -> None:
    gathered, chance = GatheredRatings(), np.random.default_rng(1)
    added = []
    for size in (200, 0, 131):
        users = np.repeat(chance.integers(0, 9, size), runs)[:size].astype(np.int32)
        items, marks = chance.integers(0, 99, size).astype(np.int32), chance.integers(0, 300, size).astype(np.uint16)
        gathered.add(users, items, marks)
        added.append((users, items, marks))
    for batch, (users, items, marks) in reversed(list(enumerate(added))):
        here = gathered.span(batch)
        assert gathered.users(batch).tolist() == users.tolist()
        assert gathered.items[here].tolist() == items.tolist()
        assert gathered.marks[here].tolist() == marks.tolist()
        gathered.drop_last()
    assert len(gathered) == len(gathered.items) == 0
