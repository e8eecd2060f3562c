"""Where a value stands, or would, among values that ascend."""

from numba import njit

__all__ = ["first_not_below"]


@njit(cache=True, nogil=True)
def first_not_below(values, begin, end, value):
    """Give the first place from begin on whose value is not below this one; end where all are. They ascend."""
    while begin < end:
        middle = (begin + end) // 2
        if values[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin
