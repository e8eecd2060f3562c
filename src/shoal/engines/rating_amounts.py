"""What each record adds to a sum over records: itself and, if asked, its sensitive ratings."""

import numpy as np

from shoal.data import Ratings

__all__ = ["rating_amounts"]


def rating_amounts(ratings: Ratings, *, sensitive: bool) -> np.ndarray:
    """Give how many people each record is; then, for each sensitive item, whether it was rated, the code, its square.

    Items that nobody rated are left out: they tell nothing, and most files do not even name them.
    """
    rated, columns = np.unique(ratings.sensitive.indices, return_inverse=True)
    items = len(rated) if sensitive else 0
    amounts = np.zeros((len(ratings), 1 + 3 * items), np.int64)
    amounts[:, 0] = 1 if ratings.people is None else ratings.people
    if sensitive:
        matrix = ratings.sensitive
        rows = np.repeat(np.arange(len(ratings)), np.diff(matrix.indptr))
        codes = matrix.codes.astype(np.int64)
        for kind, values in enumerate((np.ones_like(codes), codes, codes * codes)):
            amounts[rows, 1 + kind * items + columns] = values
    return amounts
