"""Sums of the outer products of points with themselves."""

import numpy as np
from numba import njit, prange

__all__ = ["add_up_squares"]


@njit(cache=True, nogil=True, parallel=True)
def add_up_squares(indptr: np.ndarray, indices: np.ndarray, points: np.ndarray, borders: np.ndarray) -> np.ndarray:
    """Give for each compressed row the sum of ppᵀ over the points p of its entries' columns: rows × width × width.

    The rows between two borders are one task; only those from the first border to the last are given. Points are
    float32, sums float64. Each row is added up by itself and in its order, so the result does not depend on how many
    threads there are or where the borders lie.
    """
    width, begin = points.shape[1], borders[0]
    sums = np.zeros((borders[-1] - begin, width, width), np.float64)
    for part in prange(len(borders) - 1):  # pyright: ignore[reportGeneralTypeIssues]
        for row in range(borders[part], borders[part + 1]):
            into = sums[row - begin]
            for i in range(indptr[row], indptr[row + 1]):
                point = points[indices[i]]
                for a in range(width):
                    value = np.float64(point[a])
                    for b in range(a + 1):
                        into[a, b] += value * point[b]
            for a in range(width):
                for b in range(a):
                    into[b, a] = into[a, b]
    return sums
