"""Ratings are added up by item as a loop over people does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.rater_sums import item_sums

N_ITEMS = 4
ROWS = st.lists(st.tuples(st.dictionaries(st.integers(0, N_ITEMS - 1), st.integers(0, 255)), st.integers(1, 9)))


@pytest.mark.parametrize("kernel", [item_sums, item_sums.py_func], ids=["compiled", "plain"])
@given(rows=ROWS, parts=st.integers(1, 3))
def test_every_person_counts(kernel, rows, parts) -> None:
    people = np.array([people for _, people in rows], np.int64)
    indptr = np.cumsum([0, *(len(row) for row, _ in rows)])
    cells = [(item, row[item]) for row, _ in rows for item in sorted(row)]
    indices, codes = (np.array([cell[side] for cell in cells], kind) for side, kind in ((0, np.int32), (1, np.uint8)))
    expected = [[0, 0, 0] for _ in range(N_ITEMS)]
    for row, times in rows:
        for item, code in row.items():
            for power in range(3):
                expected[item][power] += times * code**power
    assert kernel(indptr, indices, codes, people, N_ITEMS, parts).tolist() == expected
