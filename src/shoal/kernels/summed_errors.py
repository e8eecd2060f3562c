"""Sums of points, each times what an entry is more than was expected of its column."""

import numpy as np
from numba import njit, prange

__all__ = ["add_up_errors"]


@njit(cache=True, nogil=True, parallel=True)
def add_up_errors(
    indptr: np.ndarray, indices: np.ndarray, codes: np.ndarray, points: np.ndarray, expected: np.ndarray
) -> np.ndarray:
    """Return for each compressed row the sum of ``(code − expected)·p`` over its entries: rows × width, float64.

    The points p and what is expected are those of the entries' columns.
    """
    width = points.shape[1]
    sums = np.zeros((len(indptr) - 1, width), np.float64)
    for row in prange(len(indptr) - 1):  # pyright: ignore[reportGeneralTypeIssues]
        into = sums[row]
        for i in range(indptr[row], indptr[row + 1]):
            column = indices[i]
            error = codes[i] - expected[column]
            for a in range(width):
                into[a] += error * points[column, a]
    return sums
