"""The kernels that count who has the rarest sets of columns, against sets of Python."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.set_support import column_support, lower_by_support, ranked_rows

COLUMNS = 6
ROWS = st.lists(st.tuples(st.frozensets(st.integers(0, COLUMNS - 1)), st.integers(1, 3)), min_size=1, max_size=8)


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


def compressed(rows: list[frozenset[int]]) -> tuple[np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return indptr, np.array([column for row in rows for column in sorted(row)], np.int32)


@both(column_support)
@given(weighted=ROWS, data=st.data())
def test_people_and_rows_that_have_a_column_are_counted(kernel, weighted, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(weighted))), unique=True))
    rows, weights = [row for row, _ in weighted], [weight for _, weight in weighted]
    people, holders = kernel(
        *compressed(rows), np.array(chosen, np.int64), np.array([weights[i] for i in chosen], np.int64), COLUMNS
    )
    assert people.tolist() == [sum(weights[i] for i in chosen if column in rows[i]) for column in range(COLUMNS)]
    assert holders.tolist() == [sum(column in rows[i] for i in chosen) for column in range(COLUMNS)]


@both(ranked_rows)
@given(weighted=ROWS, rank=st.permutations(range(COLUMNS)))
def test_rows_are_rewritten_in_ranks_and_every_place_is_known(kernel, weighted, rank):
    rows = [row for row, _ in weighted]
    expected = [sorted(rank[column] for column in row) for row in rows]
    counts = [sum(each in row for row in expected) for each in range(COLUMNS)]
    begins = np.cumsum([0, *counts]).astype(np.int64)
    starts, ranks, row_of, places = kernel(*compressed(rows), np.arange(len(rows)), np.array(rank, np.int32), begins)
    assert [ranks[a:b].tolist() for a, b in itertools.pairwise(starts)] == expected
    assert row_of.tolist() == [i for i, row in enumerate(expected) for _ in row]
    for each in range(COLUMNS):
        mine = places[begins[each] : begins[each + 1]]
        assert ranks[mine].tolist() == [each] * len(mine)
        assert sorted(row_of[mine]) == [i for i, row in enumerate(expected) if each in row]


@both(lower_by_support)
@given(weighted=ROWS, size=st.integers(2, 4), parts=st.integers(1, 3), enough=st.integers(1, 9))
def test_numbers_come_down_to_who_has_the_rarest_set(kernel, weighted, size, parts, enough):
    merged: dict[frozenset[int], int] = {}
    for row, weight in weighted:
        merged[row] = merged.get(row, 0) + weight
    rows, weights = list(merged), np.array(list(merged.values()), np.int64)
    sets = [[set(s) for n in range(2, size + 1) for s in itertools.combinations(row, n)] for row in rows]
    held = [min((sum(merged[row] for row in rows if some <= row) for some in mine), default=99) for mine in sets]
    counts = [sum(column in row for row in rows) for column in range(COLUMNS)]
    begins = np.cumsum([0, *counts]).astype(np.int64)
    same = np.arange(COLUMNS, dtype=np.int32)
    starts, ranks, row_of, places = ranked_rows(*compressed(rows), np.arange(len(rows)), same, begins)
    numbers, steps = np.full((parts, len(rows)), 99, np.int64), np.full(parts, 10**6, np.int64)
    lists = starts, ranks, row_of, begins, places
    kernel(*lists, weights, weights, 0, COLUMNS, size, enough, numbers, steps)
    most = max(enough, min(held))
    assert [min(number, most) for number in numbers.min(axis=0)] == [min(number, most) for number in held]
    assert (steps >= 0).all()
    given_up = np.zeros(parts, np.int64) - 1
    kernel(*lists, weights, weights, 0, COLUMNS, size, enough, numbers, given_up)
    assert (given_up < 0).all()
