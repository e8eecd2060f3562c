"""The kernels that find who is apart in the fewest columns, against comparing every two rows of dictionaries."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.neighbors.bitmaps import TILE, radius_bitmaps
from shoal.kernels.neighbors.fewest_differences import columns_apart, lower_to_fewest_apart, lower_to_fewest_far

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Row = dict[int, int]

WIDTH, VALUES = 5, 4
NO_KEY = np.iinfo(np.int64).max
ROWS = st.lists(st.dictionaries(st.integers(0, WIDTH - 1), st.integers(0, VALUES - 1)), min_size=1, max_size=9)


def distances(one: Row, other: Row, alone: int) -> list[int]:
    """How far two rows are apart in each column."""
    return [
        0 if c not in one and c not in other else abs(one[c] - other[c]) if c in one and c in other else alone
        for c in range(WIDTH)
    ]


def key(one: Row, other: Row, radius: int, alone: int, unit: int) -> int:
    apart = distances(one, other, alone)
    return unit * sum(distance > radius for distance in apart) + sum(apart)


def expected_keys(rows: list[Row], among: range, radius: int, alone: int, unit: int) -> list[tuple[int, int]]:
    """The smallest key from unit on of each row with any of these, and the first that has it."""
    out = []
    for one in rows:
        keys = [(key(one, rows[other], radius, alone, unit), other) for other in among]
        out.append(min([pair for pair in keys if pair[0] >= unit], default=(NO_KEY, -1)))
    return out


def compressed(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    entries = [entry for row in rows for entry in sorted(row.items())]
    return indptr, np.array([c for c, _ in entries], np.int32), np.array([code for _, code in entries], np.uint8)


def by_columns(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    columns = [{i: row[c] for i, row in enumerate(rows) if c in row} for c in range(WIDTH)]
    return compressed(columns)


@COMPILED
@given(rows=ROWS, radius=st.integers(0, VALUES), data=st.data())
def test_counting_by_columns_finds_the_smallest_key(run: Runner, rows: list[Row], radius: int, data) -> None:
    alone, unit = VALUES + 1, 2 * WIDTH * VALUES * 3
    middle = data.draw(st.integers(0, len(rows)))
    differences = abs(np.arange(1 - VALUES, VALUES))
    gains = differences + unit * (differences > radius) - 2 * (unit + alone)
    keys, found = np.full(len(rows), NO_KEY), np.full(len(rows), -1)
    for block in (range(middle), range(middle, len(rows))):
        some = [rows[i] for i in block]
        lengths = np.array([len(row) for row in some], np.int64)
        run(lower_to_fewest_apart)(
            *compressed(rows), np.arange(len(rows)), *by_columns(some), lengths, block.start, gains,
            unit + alone, unit, keys, found,
        )  # fmt: skip
    assert list(zip(keys, found, strict=True)) == expected_keys(rows, range(len(rows)), radius, alone, unit)


@COMPILED
@settings(max_examples=50)
@given(rows=ROWS, radius=st.integers(0, VALUES), repeats=st.sampled_from([1, 64 * TILE - 1]))
def test_counting_by_bits_finds_the_smallest_key(run: Runner, rows: list[Row], radius: int, repeats: int) -> None:
    alone, unit, missing = VALUES + 1, 2 * WIDTH * VALUES * 3, VALUES + radius
    order = [0] * repeats + list(range(1, len(rows)))  # with many repeats, most rows are in the second tile
    points = np.array([[row.get(c, missing) for c in range(WIDTH)] for row in rows], np.uint8)
    many = points[order]
    near = radius_bitmaps(many, missing + 1, radius)[0]
    keys, found = np.full(len(rows), NO_KEY), np.full(len(rows), -1)
    run(lower_to_fewest_far)(points, many, near, missing, alone, 7, unit, keys, found)
    places = {row: 7 + order.index(row) for row in range(len(rows))} | {-1: -1}
    expected = [(k, places[row]) for k, row in expected_keys(rows, range(len(rows)), radius, alone, unit)]
    assert list(zip(keys, found, strict=True)) == expected


@COMPILED
@given(rows=ROWS, radius=st.integers(0, VALUES), room=st.integers(1, WIDTH + 1))
def test_columns_apart_are_listed_the_most_distant_first(run: Runner, rows: list[Row], radius: int, room: int) -> None:
    alone = VALUES + 1
    pairs = [(i, j) for i in range(len(rows)) for j in range(len(rows))]
    out = np.full((len(pairs), room), -1)
    ones, others = np.array(pairs).T
    run(columns_apart)(*compressed(rows), ones, others, radius, alone, out)
    for (i, j), published in zip(pairs, out.tolist(), strict=True):
        apart = distances(rows[i], rows[j], alone)
        columns = sorted((c for c in range(WIDTH) if apart[c] > radius), key=lambda c: (-apart[c], c))
        assert published == (columns + [-1] * room)[:room]
