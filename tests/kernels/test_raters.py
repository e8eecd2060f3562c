"""What members of groups say together, against adding up dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.rater_sums import add_up_raters

ITEMS = 4
ROW = st.dictionaries(st.integers(0, ITEMS - 1), st.integers(0, 4))


@pytest.mark.parametrize("kernel", [add_up_raters, add_up_raters.py_func], ids=["compiled", "plain"])
@given(rows=st.lists(ROW, min_size=1, max_size=7), data=st.data())
def test_raters_and_their_values_and_predictions_are_added_up(kernel, rows, data):
    order = data.draw(st.permutations(range(len(rows))))
    border = data.draw(st.integers(0, len(rows)))
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    cells = [cell for row in rows for cell in sorted(row.items())]
    indices, codes = np.array([c for c, _ in cells], np.int32), np.array([v for _, v in cells], np.uint8)
    users = np.arange(2 * len(rows), dtype=np.float32).reshape(-1, 2)
    items = np.arange(2 * ITEMS, dtype=np.float32).reshape(-1, 2) - 3
    begins = np.array([0, border, len(rows)])
    counts, sums, predictions = kernel(indptr, indices, codes, users, items, np.array(order), begins)
    for g, members in enumerate((order[:border], order[border:])):
        for item in range(ITEMS):
            raters = [row for row in members if item in rows[row]]
            assert counts[g, item] == len(raters)
            assert sums[g, item] == sum(rows[row][item] for row in raters)
            assert predictions[g, item] == sum(float(users[row] @ items[item]) for row in raters)
