"""Which ratings an attacker may know of."""

import numpy as np

from shoal.data import RatingMatrix

__all__ = ["knowable_ratings"]


def knowable_ratings(matrix: RatingMatrix, outside_top: int) -> np.ndarray:
    """Say of each rating in the matrix whether its item is outside the so many that most have rated.

    Of items that equally many have rated, the first come first.
    """
    counts = np.bincount(matrix.indices, minlength=len(matrix.items))
    unpopular = np.ones(len(matrix.items), bool)
    unpopular[np.argsort(-counts, kind="stable")[:outside_top]] = False
    return unpopular[matrix.indices]
