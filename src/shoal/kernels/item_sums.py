"""Add up the ratings of each item."""

import numpy as np
from numba import njit, prange

__all__ = ["item_sums"]


@njit(cache=True, nogil=True, parallel=True)
def item_sums(
    indptr: np.ndarray, indices: np.ndarray, codes: np.ndarray, people: np.ndarray, n_items: int, n_parts: int
) -> np.ndarray:
    """Give for each item how many people rated it, the sum of their codes and the sum of their squares, as int64.

    A row counts as often as it stands for people. Rows are shared out to so many parts.
    """
    sums = np.zeros((n_parts, n_items, 3), np.int64)
    n = len(indptr) - 1
    for part in prange(n_parts):  # pyright: ignore[reportGeneralTypeIssues]
        for row in range(part * n // n_parts, (part + 1) * n // n_parts):
            for place in range(indptr[row], indptr[row + 1]):
                code = np.int64(codes[place])
                item = indices[place]
                sums[part, item, 0] += people[row]
                sums[part, item, 1] += people[row] * code
                sums[part, item, 2] += people[row] * code * code
    return sums.sum(axis=0)
