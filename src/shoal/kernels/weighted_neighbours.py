"""Count, in the maximum norm, the points within a radius."""

import numpy as np
from numba import njit, prange

__all__ = ["weighted_neighbours"]


@njit(cache=True, nogil=True, parallel=True)
def weighted_neighbours(points: np.ndarray, weights: np.ndarray, radius: int) -> np.ndarray:
    """Give for each row of points the total weight of all rows, itself included, at most radius away in every column.

    Every pair is looked at; the comparison of a pair stops at the first column that separates it.
    """
    n, width = points.shape
    out = np.zeros(n, np.int64)
    for i in prange(n):  # pyright: ignore[reportGeneralTypeIssues]
        total = np.int64(0)
        for j in range(n):
            near = True
            for column in range(width):
                if abs(np.int64(points[i, column]) - np.int64(points[j, column])) > radius:
                    near = False
                    break
            if near:
                total += weights[j]
        out[i] = total
    return out
