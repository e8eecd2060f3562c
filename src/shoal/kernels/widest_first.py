"""Points in the order of the coordinate in which they differ most."""

import numpy as np
from numba import njit

__all__ = ["sort_where_widest"]


@njit(cache=True, nogil=True)
def sort_where_widest(points, numbers, begin, end):
    """Order the points numbers[begin:end] in place along the axis on which they are widest, the first of several.

    Those that are equal there stay in the order in which they are.
    """
    widest, axis = -1.0, 0
    for j in range(points.shape[1]):
        low, high = np.inf, -np.inf
        for place in range(begin, end):
            value = points[numbers[place], j]
            low, high = min(low, value), max(high, value)
        if high - low > widest:
            widest, axis = high - low, j
    part = numbers[begin:end].copy()
    values = np.empty(len(part))
    for i in range(len(part)):
        values[i] = points[part[i], axis]
    numbers[begin:end] = part[np.argsort(values, kind="mergesort")]
