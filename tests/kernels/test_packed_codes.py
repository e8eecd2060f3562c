"""What the digits of numbers are worth, against division by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.packed_codes import add_worths


@pytest.mark.parametrize("kernel", [add_worths, add_worths.py_func], ids=["compiled", "plain"])
@given(data=st.data(), sizes=st.lists(st.sampled_from([1, 2, 3, 7, 1000]), min_size=1, max_size=5))
def test_worths_of_digits_are_added(kernel, data, sizes) -> None:
    numbers = data.draw(st.lists(st.integers(0, math.prod(sizes) - 1), max_size=9))
    worth_of = [data.draw(st.integers(0, 2**50)) for _ in range(sum(sizes[:2]))]
    worths = np.arange(sum(sizes), dtype=np.uint64) * np.uint64(3)
    worths[: len(worth_of)] = worth_of
    begins = np.cumsum([0, *sizes[:-1]])
    out = np.full(len(numbers), 5, np.uint64)
    kernel(np.array(numbers, np.uint64), np.array(sizes, np.uint64), begins, worths, out)
    expected = []
    for number in numbers:
        total = 5
        for size, begin in zip(sizes, begins.tolist(), strict=True):
            total += int(worths[begin + number % size])
            number //= size
        expected.append(total)
    assert out.tolist() == expected
