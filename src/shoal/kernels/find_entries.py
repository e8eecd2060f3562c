"""Where entries stand in compressed rows."""

import numpy as np
from numba import njit

from .first_not_below import first_not_below

__all__ = ["find_entries"]


@njit(cache=True, nogil=True)
def find_entries(indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Give the place of each entry by its row and column; −1 where there is none, or either is negative.

    Columns ascend within a row.
    """
    places = np.full(len(rows), -1, np.int64)
    for i in range(len(rows)):
        if rows[i] < 0 or columns[i] < 0:
            continue
        end = indptr[rows[i] + 1]
        place = first_not_below(indices, indptr[rows[i]], end, columns[i])
        if place < end and indices[place] == columns[i]:
            places[i] = place
    return places
