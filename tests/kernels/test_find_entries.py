"""Where entries stand, against looking through all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.compressed_rows import find_entries

COLUMNS = 5


@pytest.mark.parametrize("kernel", [find_entries, find_entries.py_func], ids=["compiled", "plain"])
@given(st.lists(st.sets(st.integers(0, COLUMNS - 1)), min_size=1, max_size=5), st.data())
def test_entries_are_found_where_they_stand(kernel, rows, data):
    entries = [(row, column) for row, columns in enumerate(rows) for column in sorted(columns)]
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    indices = np.array([column for _, column in entries], np.int32)
    cell = st.tuples(st.integers(-1, len(rows) - 1), st.integers(-1, COLUMNS - 1))
    asked = data.draw(st.lists(cell, min_size=1))
    places = kernel(indptr, indices, *(np.array(part, np.int32) for part in zip(*asked, strict=True)))
    assert places.tolist() == [entries.index(each) if each in entries else -1 for each in asked]
