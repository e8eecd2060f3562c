"""Groups by halving: the quickest way to put points that are near each other together, and not the closest."""

import numpy as np
from numba import njit

from .widest_first import sort_where_widest

__all__ = ["halved_groups"]


@njit(cache=True, nogil=True)
def halved_groups(points, most):
    """Give each point its group 0, 1, …: all points are halved where they are widest, and so on while more than `most`.

    A group that is halved has a point more in the second half or as many, so that with 2k − 1 at most there are k at
    least where all together are. Of equal values the point with the lower number is in the first half.
    """
    n = len(points)
    labels, numbers = np.zeros(n, np.int64), np.arange(n)
    begins, ends = np.empty(128, np.int64), np.empty(128, np.int64)
    begins[0], ends[0], waiting, group = 0, n, 1, 0
    while waiting:
        waiting -= 1
        begin, end = begins[waiting], ends[waiting]
        if end - begin <= most:
            labels[numbers[begin:end]] = group
            group += 1
            continue
        sort_where_widest(points, numbers, begin, end)
        middle = (begin + end) // 2
        # the half that waits longer first: the other is the one that is looked at next
        begins[waiting], ends[waiting] = middle, end
        begins[waiting + 1], ends[waiting + 1] = begin, middle
        waiting += 2
    return labels
