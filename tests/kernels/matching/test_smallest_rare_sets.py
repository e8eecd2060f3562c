"""By which few of its columns each row is rare, beside a look at all sets."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import RankedRows, RatingMatrix, Vocabulary
from shoal.kernels.matching.smallest_rare_sets import find_smallest_rare_sets

ROWS = st.lists(st.tuples(st.frozensets(st.integers(0, 4)), st.integers(1, 3)), min_size=1, max_size=8)


def people_with(some: tuple[int, ...], rows: list[tuple[frozenset[int], int]]) -> int:
    return sum(weight for row, weight in rows if set(some) <= row)


def smallest_rare(row: frozenset[int], rows: list[tuple[frozenset[int], int]], size: int, enough: int):
    """The number of columns of the smallest rare set of a row, and how few people have one that small."""
    for n in range(1, size + 1):
        rare = [people_with(some, rows) for some in itertools.combinations(row, n)]
        if min(rare, default=enough) < enough:
            return n, min(rare)
    return None


@pytest.mark.parametrize(
    "kernel", [find_smallest_rare_sets, find_smallest_rare_sets.py_func], ids=["compiled", "plain"]
)
@given(ROWS, st.integers(2, 6), st.integers(1, 4), st.integers(1, 4), st.integers(0, 5))
def test_each_row_gets_the_rarest_of_its_smallest_rare_sets(kernel, rows, enough, size, room, border):
    dense = np.array([[0 if item in row else -1 for item in range(5)] for row, _ in rows], np.int32)
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(5), dense)
    weights = np.array([weight for _, weight in rows], np.int64)
    ranked = RankedRows.of(matrix, np.arange(len(rows)), weights)
    sizes, people = np.full(len(rows), size + 1), np.zeros(len(rows), np.int64)
    sizes[0] = 0
    columns = np.full((len(rows), room), -1, np.int32)
    for n in range(1, size + 1):
        for first, last in ((0, border), (border, 5)):  # in any spans
            assert kernel(*ranked.arrays, weights, first, last, n, enough, sizes, people, columns, 10**6) > 0
    assert sizes[0] == 0
    for i, (row, _) in enumerate(rows[1:], 1):
        expected = smallest_rare(row, rows, size, enough)
        if expected is None:
            assert sizes[i] == size + 1
            assert (columns[i] == -1).all()
            continue
        assert (sizes[i], people[i]) == expected
        found = [int(ranked.items[rank]) for rank in columns[i] if rank >= 0]
        assert len(found) == len(set(found)) == min(room, expected[0])
        assert set(found) <= row
        if room >= expected[0]:
            assert people_with(tuple(found), rows) == expected[1]


def test_a_search_that_takes_too_long_is_given_up():
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(6), np.zeros((4, 6), np.int32))
    weights = np.ones(4, np.int64)
    ranked = RankedRows.of(matrix, np.arange(4), weights)
    found = np.full(4, 6), np.zeros(4, np.int64), np.full((4, 5), -1, np.int32)
    assert find_smallest_rare_sets(*ranked.arrays, weights, 0, 6, 5, 4, *found, 100) < 0
    assert (found[0] == 6).all()
