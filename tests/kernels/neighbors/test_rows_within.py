"""Rows of one matrix are compared with rows of another as dictionaries are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.neighbors.rows_within import distances_of_pairs, pattern_keys, people_within

ROW = st.dictionaries(st.integers(0, 3), st.integers(0, 6))
ROWS = st.lists(ROW, min_size=1, max_size=6)
APART = 7


def compressed(rows):
    cells = [cell for row in rows for cell in sorted(row.items())]
    indices, values = np.array([c for c, _ in cells], np.int32), np.array([v for _, v in cells], np.uint8)
    return np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64), indices, values


def distance(one, other):
    return max((abs(one[item] - other[item]) for item in one), default=0) if one.keys() == other.keys() else APART


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


@both(pattern_keys)
@given(rows=ROWS)
def test_rows_with_the_same_columns_have_one_key_and_others_another(kernel, rows):
    with np.errstate(over="ignore"):
        keys = kernel(*compressed(rows)[:2])
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            assert (keys[i] == keys[j]) == (one.keys() == other.keys())


@both(people_within)
@given(rows=ROWS, others=ROWS, data=st.data())
def test_people_within_each_radius_are_counted(kernel, rows, others, data):
    asked = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=4))
    radii = data.draw(st.lists(st.tuples(*[st.integers(0, 6)] * 2), min_size=len(asked), max_size=len(asked)))
    people = data.draw(st.lists(st.integers(0, 5), min_size=len(others), max_size=len(others)))
    order = data.draw(st.permutations(range(len(others))))
    found = kernel(
        *compressed(rows),
        np.array(asked, np.int64),
        np.array(radii, np.int64).reshape(len(asked), 2),
        *compressed(others),
        np.array(people, np.int64),
        np.array(order, np.int64),
        np.zeros(len(asked), np.int64),
        np.full(len(asked), len(others), np.int64),
    )
    assert found.tolist() == [
        [sum(p for p, o in zip(people, others, strict=True) if distance(rows[row], o) <= radius) for radius in line]
        for row, line in zip(asked, radii, strict=True)
    ]


@both(people_within)
def test_only_the_stretch_of_a_row_is_looked_at(kernel):
    one, others = [{0: 3}], [{0: 3}, {0: 3}, {0: 3}]
    found = kernel(
        *compressed(one),
        np.array([0]),
        np.array([[0]]),
        *compressed(others),
        np.array([1, 10, 100]),
        np.array([2, 0, 1]),
        np.array([1]),
        np.array([2]),
    )
    assert found.tolist() == [[1]]


@both(distances_of_pairs)
@given(rows=ROWS, others=ROWS, data=st.data())
def test_pairs_are_as_far_apart_as_their_largest_difference(kernel, rows, others, data):
    pair = st.tuples(st.integers(0, len(rows) - 1), st.integers(0, len(others) - 1))
    pairs = np.array(data.draw(st.lists(pair, max_size=6)), np.int64).reshape(-1, 2)
    apart = kernel(*compressed(rows), pairs[:, 0], *compressed(others), pairs[:, 1], APART)
    assert apart.tolist() == [distance(rows[a], others[b]) for a, b in pairs]
