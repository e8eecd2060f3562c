"""Where a value would stand, against looking at one after another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.compressed_rows import lower_bound


@pytest.mark.parametrize("kernel", [lower_bound, lower_bound.py_func], ids=["compiled", "plain"])
@given(st.lists(st.integers(0, 6), max_size=8).map(sorted), st.integers(-1, 7), st.data())
def test_it_is_the_first_that_is_not_below(kernel, values, value, data):
    end = data.draw(st.integers(0, len(values)))
    begin = data.draw(st.integers(0, end))
    expected = next((place for place in range(begin, end) if values[place] >= value), end)
    assert kernel(np.array(values, np.int32), begin, end, np.int32(value)) == expected
