"""The kernels on rows of packed ratings, against plain lists."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.packed_rows import (
    faults_of_packed,
    hashes_of_packed,
    pack_by_tables,
    rows_of_packed,
)

ROWS = st.lists(st.lists(st.integers(0, 11), max_size=5), max_size=8)
POINTS = st.integers(1, 4)


def packed(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    begins = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return begins, np.array([value for row in rows for value in row], np.uint32)


def ways(kernel) -> tuple:
    def plain(*arguments):
        with np.errstate(over="ignore"):  # words that wrap around as they should would warn
            return kernel.py_func(*arguments)

    return kernel, plain


@given(rows=ROWS, points=POINTS, end=st.integers(0, 12))
@pytest.mark.parametrize("way", ways(hashes_of_packed))
def test_rows_have_equal_hashes_exactly_if_they_are_equal_up_to_the_end(way, rows, points, end):
    rows = [sorted(set(row)) for row in rows]
    patterns, profiles, counted = way(*packed(rows), points, end)
    seen = [tuple(value for value in row if value < end) for row in rows]
    items = [tuple(value // points for value in row) for row in seen]
    assert counted.tolist() == [len(row) for row in seen]
    for i, j in np.ndindex(len(rows), len(rows)):
        assert (profiles[i] == profiles[j]) == (seen[i] == seen[j])
        assert (patterns[i] == patterns[j]) == (items[i] == items[j])


@given(rows=ROWS, points=POINTS, end=st.integers(0, 12))
@pytest.mark.parametrize("way", ways(faults_of_packed))
def test_faults_are_counted_within_rows(way, rows, points, end):
    unordered, repeats, beyond = way(*packed(rows), points, end)
    assert beyond == sum(value >= end for row in rows for value in row)
    pairs = [pair for row in rows for pair in pairwise(row)]
    assert unordered == sum(after < before for before, after in pairs)
    assert repeats == sum(after // points == before // points for before, after in pairs)


@given(values=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 99)), max_size=80))
@pytest.mark.parametrize("way", ways(rows_of_packed))
def test_values_are_gathered_by_row_and_sorted(way, values):
    rows, packed_values = (np.array([pair[i] for pair in values], kind) for i, kind in ((0, np.int64), (1, np.uint32)))
    begins, placed = way(rows, packed_values, 6)
    found = [placed[begins[row] : begins[row + 1]].tolist() for row in range(6)]
    assert found == [sorted(value for of, value in values if of == row) for row in range(6)]


@given(
    ratings=st.lists(st.tuples(st.integers(-3, 4), st.integers(7, 11)), max_size=20), codes=st.permutations(range(5))
)
@pytest.mark.parametrize("way", ways(pack_by_tables))
def test_ratings_are_packed_by_tables(way, ratings, codes):
    items, marks = (np.array([pair[i] for pair in ratings], np.int32) for i in (0, 1))
    places, table = np.arange(8, dtype=np.uint32)[::-1].copy(), np.array(codes, np.uint32)
    found = way(items, -3, places, marks, 7, table, 4, 99)
    looked_up = [(7 - (item + 3), codes[mark - 7]) for item, mark in ratings]
    assert found.tolist() == [place * 4 + code if code < 4 else 99 for place, code in looked_up]
