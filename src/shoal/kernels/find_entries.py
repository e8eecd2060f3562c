"""Where entries stand in compressed rows."""

import numpy as np
from numba import njit

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
        low, end = indptr[rows[i]], indptr[rows[i] + 1]
        high = end
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < columns[i]:
                low = middle + 1
            else:
                high = middle
        if low < end and indices[low] == columns[i]:
            places[i] = low
    return places
