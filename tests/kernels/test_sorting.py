"""Sorting and selection return what numpy's functions return."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shoal.kernels.sorting import copy_into, nth_smallest, stable_order

WHOLE = arrays(np.int64, st.integers(0, 150), elements=st.integers(-6, 6))
BROKEN = arrays(
    np.float64, st.integers(0, 150), elements=st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 1e-300, 2.0, np.inf])
)


@given(values=st.one_of(WHOLE, BROKEN))
def test_equal_values_stay_in_order(values: np.ndarray) -> None:
    wanted = np.argsort(values, kind="stable").tolist()
    assert stable_order(values).tolist() == stable_order.py_func(values).tolist() == wanted


@given(values=st.one_of(WHOLE, BROKEN).filter(len), data=st.data())
def test_the_nth_smallest_is_the_one_at_that_place_of_the_sorted_values(
    values: np.ndarray, data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, len(values) - 1))
    before = values.tobytes()
    assert nth_smallest(values, n) == nth_smallest.py_func(values, n) == np.sort(values)[n]
    assert values.tobytes() == before


@pytest.mark.parametrize("n", [17, 1000, 4097])
def test_long_arrays_are_sorted_likewise(n: int) -> None:
    values = np.random.default_rng(n).integers(0, n // 3, n)
    assert stable_order(values).tolist() == np.argsort(values, kind="stable").tolist()
    assert nth_smallest(values, n // 2) == np.sort(values)[n // 2]


def test_what_is_beyond_the_source_stays() -> None:
    target = np.array([7, 7, 7], np.int32)
    copy_into(target, np.array([1, 2]))
    assert target.tolist() == [1, 2, 7]
