"""Whether two rows are near each other in the maximum norm."""

import numpy as np
from numba import njit

__all__ = ["near_points", "near_rows"]


@njit(cache=True, nogil=True)
def near_points(points: np.ndarray, one: int, other: int, radius: int) -> bool:
    """Tell whether two points are at most radius apart in every column; stops at the first that separates them."""
    for column in range(points.shape[1]):
        if abs(np.int64(points[one, column]) - np.int64(points[other, column])) > radius:
            return False
    return True


@njit(cache=True, nogil=True)
def near_rows(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, one: int, other: int, radius: int) -> bool:
    """Tell whether two compressed rows have the same columns and are at most radius apart in each."""
    a, b = indptr[one], indptr[other]
    length = indptr[one + 1] - a
    if indptr[other + 1] - b != length:
        return False
    for step in range(length):
        if indices[a + step] != indices[b + step]:
            return False
        if abs(np.int64(data[a + step]) - np.int64(data[b + step])) > radius:
            return False
    return True
