"""Whom so much can be known of."""

import numpy as np

from shoal.data import RatingMatrix

from .knowable_ratings import knowable_ratings

__all__ = ["enough_ratings"]


def enough_ratings(matrix: RatingMatrix, rows: np.ndarray, known: int, outside_top: int) -> np.ndarray:
    """Give those of the rows that have so many ratings outside the so many items that most have rated."""
    counts = np.diff(matrix.indptr)
    if outside_top:
        before = np.zeros(matrix.n_ratings + 1, np.int64)
        np.cumsum(knowable_ratings(matrix, outside_top), out=before[1:])
        counts = np.diff(before[matrix.indptr])
    return rows[counts[rows] >= known]
