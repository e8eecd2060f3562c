"""Counting and looking up in a table does what a dictionary does."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.numbering import count_values, look_up


@pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])
@given(values=st.lists(st.integers(-20, 100), min_size=1), dtype=st.sampled_from([np.int8, np.int32, np.int64]))
def test_values_are_counted_and_looked_up(run, values, dtype) -> None:
    array = np.array(values, dtype)
    lowest, highest = min(values), max(values)
    counts = run(count_values)(array, lowest, highest)
    expected = Counter(values)
    assert counts.tolist() == [expected[value] for value in range(lowest, highest + 1)]
    table = np.arange(len(counts), dtype=np.uint8)[::-1].copy()
    found = run(look_up)(array, lowest, table)
    assert found.dtype == np.uint8
    assert found.tolist() == [highest - value for value in values]
