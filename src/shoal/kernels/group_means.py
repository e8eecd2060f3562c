"""Means of groups of points."""

import numpy as np
from numba import njit, prange

__all__ = ["group_means"]


@njit(cache=True, nogil=True, parallel=True)
def group_means(points: np.ndarray, members: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Give the mean of each group as float32; line g of members holds the points of group g, sizes[g] of them."""
    width = points.shape[1]
    means = np.empty((len(sizes), width), np.float32)
    for g in prange(len(sizes)):  # pyright: ignore[reportGeneralTypeIssues]
        sums = np.zeros(width, np.float64)
        for slot in range(sizes[g]):
            for column in range(width):
                sums[column] += points[members[g, slot], column]
        for column in range(width):
            means[g, column] = sums[column] / sizes[g]
    return means
