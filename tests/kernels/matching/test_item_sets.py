"""The kernels that look for the rarest sets of columns, against sets of Python."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.item_sets import column_bitmaps, fewest_with_column, lower_to_rarest_sets, rows_with_all

COLUMNS = 6
HELD = st.lists(st.frozensets(st.integers(0, COLUMNS - 1)), min_size=1, max_size=8)
MANY = st.lists(st.sampled_from([frozenset({0, 1, 2}), frozenset({2, 3}), frozenset({0, 5})]), min_size=60, max_size=90)


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


def compressed(rows: list[frozenset[int]]) -> tuple[np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return indptr, np.array([column for row in rows for column in sorted(row)], np.int32)


def holders(wanted: frozenset[int], rows: list[frozenset[int]]) -> int:
    return sum(wanted <= row for row in rows)


def fewest(rows: list[frozenset[int]], size: int) -> list[int]:
    sets = [[frozenset(s) for n in range(size + 1) for s in itertools.combinations(row, n)] for row in rows]
    return [min(holders(wanted, rows) for wanted in mine) for mine in sets]


@both(fewest_with_column)
@given(rows=HELD | MANY, data=st.data())
def test_the_rarest_column_of_each_chosen_row_is_counted(kernel, rows, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True))
    found = kernel(*compressed(rows), np.array(chosen, np.int64), COLUMNS)
    assert found.tolist() == fewest([rows[i] for i in chosen], 1)


@both(column_bitmaps)
@given(rows=HELD | MANY, data=st.data())
def test_bitmaps_say_who_has_a_column_and_the_rarest_come_first(kernel, rows, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True))
    bits, columns = kernel(*compressed(rows), np.array(chosen, np.int64), COLUMNS)
    published = [
        [i for i in range(bits.shape[1] * 64) if int(bits[c, i >> 6]) >> (i & 63) & 1] for c in range(len(columns))
    ]
    assert published == [[place for place, i in enumerate(chosen) if column in rows[i]] for column in columns]
    assert sorted(columns) == sorted(frozenset().union(*(rows[i] for i in chosen)))
    assert [len(some) for some in published] == sorted(len(some) for some in published)


@both(rows_with_all)
@given(rows=HELD | MANY, steps=st.just(10**6) | st.integers(0, 30))
def test_the_rows_that_have_all_columns_of_a_row_are_counted(kernel, rows, steps):
    bits = column_bitmaps(*compressed(rows), np.arange(len(rows)), COLUMNS)[0]
    least = [rows.count(row) for row in rows]
    counts, left = kernel(bits, len(rows), np.arange(len(rows)), np.array(least, np.int64), steps)
    right = [holders(row, rows) for row in rows]
    if left >= 0:
        assert counts.tolist() == right
    else:
        assert steps <= 30
        assert all(count in pair for count, *pair in zip(counts.tolist(), least, right, strict=True))


@both(lower_to_rarest_sets)
@given(rows=HELD | MANY, size=st.integers(1, 4), enough=st.integers(0, 9), loose=st.booleans(), span=st.integers(1, 7))
def test_numbers_are_lowered_as_far_as_it_counts(kernel, rows, size, enough, loose, span):
    expected = fewest(rows, size)
    most = max(enough, min(expected))
    bounds = np.array([rows.count(row) if loose else holders(row, rows) for row in rows], np.int64)
    bits = column_bitmaps(*compressed(rows), np.arange(len(rows)), COLUMNS)[0]
    numbers = np.full(len(rows), len(rows), np.int64)
    steps = 10**6
    for first in range(0, len(bits), span):
        left = kernel(bits, first, min(first + span, len(bits)), size, enough, bounds, numbers, steps)
        assert 0 <= left <= steps
        steps = left
    assert np.minimum(numbers, most).tolist() == np.minimum(expected, most).tolist()
    assert all(number >= right for number, right in zip(numbers.tolist(), expected, strict=True))


@both(lower_to_rarest_sets)
def test_a_search_that_takes_too_long_is_given_up_with_nothing_said_too_low(kernel):
    rows = [frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})]
    bits = column_bitmaps(*compressed(rows), np.arange(3), COLUMNS)[0]
    published = []
    for steps in (0, 3, 40):
        numbers = np.full(3, 3, np.int64)
        left = kernel(bits, 0, 3, 2, 9, np.zeros(3, np.int64), numbers, steps)
        published.append((left >= 0, numbers.tolist()))
    assert published == [(False, [3, 3, 3]), (False, [2, 3, 2]), (True, [1, 1, 1])]
