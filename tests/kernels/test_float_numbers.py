"""Numbering floats by their bits does what a dictionary does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.numbering import number_floats


@pytest.mark.parametrize("kernel", [number_floats, number_floats.py_func], ids=["compiled", "plain"])
@pytest.mark.filterwarnings("ignore:overflow encountered")
@given(
    values=st.lists(st.one_of(st.sampled_from([0.0, -0.0, 3.57, np.nan, np.inf]), st.floats())), most=st.integers(1, 9)
)
def test_floats_are_numbered_by_first_sight(kernel, values, most) -> None:
    bits = np.array(values, np.float64).view(np.uint64)
    expected = list(dict.fromkeys(bits.tolist()))
    found, numbers = kernel(bits, most)
    if len(expected) > most:
        assert len(numbers) == 0
        assert found.tolist() == expected[: most + 1]
    else:
        assert found.tolist() == expected
        assert [expected[number] for number in numbers] == bits.tolist()
