"""A matrix with some of its records replaced."""

import numpy as np

from shoal.data import RatingMatrix

__all__ = ["with_rows"]


def with_rows(matrix: RatingMatrix, rows: np.ndarray, changed: RatingMatrix) -> RatingMatrix:
    """Give the matrix with these records replaced by others over the same items."""
    both = RatingMatrix(
        matrix.items,
        np.concatenate([matrix.indptr, matrix.indptr[-1] + changed.indptr[1:]]),
        np.concatenate([matrix.indices, changed.indices]),
        np.concatenate([matrix.codes, changed.codes]),
    )
    source = np.arange(len(matrix))
    source[rows] = len(matrix) + np.arange(len(rows))
    return both.take(source)
