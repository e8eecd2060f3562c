"""The kernels that count values and differences, against loops over lists."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.counts import value_counts
from shoal.kernels.row_comparison import row_differences

ROW = st.dictionaries(st.integers(0, 4), st.integers(0, 255), max_size=4)


@pytest.mark.parametrize("kernel", [value_counts, value_counts.py_func], ids=["compiled", "plain"])
@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3))))
def test_values_are_counted_by_group(kernel, pairs):
    labels = np.array([label for label, _ in pairs], np.int64)
    codes = np.array([code for _, code in pairs], np.int32)
    indptr, values, counts = kernel(labels, 5, codes, 4)
    for group in range(5):
        here = slice(int(indptr[group]), int(indptr[group + 1]))
        expected = Counter(code for label, code in pairs if label == group)
        assert list(zip(values[here].tolist(), counts[here].tolist(), strict=True)) == sorted(expected.items())
    assert indptr[-1] == len(values) == len(counts)


@pytest.mark.parametrize("kernel", [row_differences, row_differences.py_func], ids=["compiled", "plain"])
@given(rows=st.lists(st.tuples(ROW, st.integers(0, 2)), max_size=5), others=st.lists(ROW, min_size=3, max_size=3))
def test_differences_are_those_of_comparing_cell_by_cell(kernel, rows, others):
    expected = [0] * 6
    for mine, theirs in ((mine, others[place]) for mine, place in rows):
        for item in range(5):
            a, b = mine.get(item), theirs.get(item)
            if a is not None and b is not None and a != b:
                expected[0] += 1
                expected[1] += abs(a - b)
            if a is None and b is not None:
                expected[2] += 1
                expected[3] += b + 1
            if a is not None and b is None:
                expected[4] += 1
                expected[5] += a + 1
    places = np.array([place for _, place in rows], np.int64)
    sums = kernel(*_compressed([mine for mine, _ in rows]), *_compressed(others), places)
    assert sums.sum(axis=0).tolist() == expected


def test_differences_of_more_rows_than_are_worked_on_at_once():
    mine, theirs = [{0: row % 3} for row in range(600)], [{0: 1}]
    sums = row_differences(*_compressed(mine), *_compressed(theirs), np.zeros(600, np.int64))
    assert sums.sum(axis=0).tolist() == [400, 400, 0, 0, 0, 0]


def _compressed(rows: list[dict[int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    cells = [sorted(row.items()) for row in rows]
    indptr = np.cumsum([0, *(len(row) for row in cells)]).astype(np.int64)
    indices = np.array([item for row in cells for item, _ in row], np.int32)
    return indptr, indices, np.array([code for row in cells for _, code in row], np.uint8)
