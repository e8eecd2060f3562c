"""The largest length of a row's points, each row with a measure of length of its own."""

import numpy as np
from numba import njit, prange

__all__ = ["largest_squares"]


@njit(cache=True, nogil=True, parallel=True)
def largest_squares(indptr: np.ndarray, indices: np.ndarray, points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return for each compressed row the largest pᵀ·M·p over the points p of its entries' columns.

    M is the matrix of that row, symmetric. A row without entries has 0.
    """
    width = matrices.shape[1]
    largest = np.zeros(len(matrices), np.float64)
    for row in prange(len(matrices)):  # pyright: ignore[reportGeneralTypeIssues]
        matrix = matrices[row]
        for i in range(indptr[row], indptr[row + 1]):
            point = points[indices[i]]
            square = 0.0
            for a in range(width):
                across = 0.0
                for b in range(a):
                    across += matrix[a, b] * point[b]
                square += point[a] * (2 * across + matrix[a, a] * point[a])
            largest[row] = max(largest[row], square)
    return largest
