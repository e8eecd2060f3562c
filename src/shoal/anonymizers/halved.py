"""Ratings in an order in which like is beside like."""

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.principal_halves import halve

__all__ = ["halved"]


def halved(
    matrix: RatingMatrix, n_values: int, order: np.ndarray, size: int, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Put rows into an order, and say where parts begin in it that have at least ``size`` and less than twice that.

    Rows are halved again and again across the direction in which they differ most, which takes n·log n steps. Weights
    say how much each item counts.
    """
    if weights is None:
        weights = np.ones(max(len(matrix.items), 1))
    values, order = _values(matrix, n_values), order.copy()
    begins = np.array([0, len(order)])
    while (groups := np.diff(begins) // size).max() >= 2:
        spare = np.diff(begins) - groups * size
        middles = begins[:-1] + np.where(groups >= 2, groups // 2 * size + spare // 2, 0)
        halve(matrix.indptr, matrix.indices, values, weights, order, begins, middles)
        begins = np.union1d(begins, middles)
    return order, begins


def _values(matrix: RatingMatrix, n_values: int) -> np.ndarray:
    """Return a number for each rating that tells both that it was given and how high it is on the span of the scale."""
    indices, codes, n_items = matrix.indices, matrix.codes, max(len(matrix.items), 1)
    given = np.maximum(np.bincount(indices, minlength=n_items), 1)
    means = np.bincount(indices, codes, minlength=n_items) / given
    return (1 + 2 * (codes - means[indices]) / max(n_values - 1, 1)).astype(np.float32)
