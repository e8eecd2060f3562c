"""Rows of a low-rank product in which the cells that are known hold what is known, without ever making them.

Row i is ``left[i] @ right.T``, with ``data`` in place of the product in the cells of compressed sparse rows. What a
known cell holds more than the product is its residual; elsewhere residuals are 0.
"""

import numpy as np
from numba import njit, prange

__all__ = ["residual_products", "residual_sums"]


@njit(cache=True, nogil=True)
def _product(row, column):
    total = 0.0
    for a in range(len(row)):
        total += np.float64(row[a]) * np.float64(column[a])
    return total


@njit(cache=True, nogil=True, parallel=True)
def residual_products(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    rows: np.ndarray,
    directions: np.ndarray,
) -> np.ndarray:
    """Give ``residuals[rows] @ directions`` as float64; directions are columns × dimensions in float64."""
    out = np.zeros((len(rows), directions.shape[1]))
    for i in prange(len(rows)):  # pyright: ignore[reportGeneralTypeIssues]
        row = rows[i]
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            residual = np.float64(data[place]) - _product(left[row], right[column])
            for a in range(directions.shape[1]):
                out[i, a] += residual * directions[column, a]
    return out


@njit(cache=True, nogil=True)
def residual_sums(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Give ``residuals[rows].T @ weights`` as float64; there is a line of weights, in float64, for each of the rows."""
    out = np.zeros((len(right), weights.shape[1]))
    for i in range(len(rows)):
        row = rows[i]
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            residual = np.float64(data[place]) - _product(left[row], right[column])
            for a in range(weights.shape[1]):
                out[column, a] += residual * weights[i, a]
    return out
