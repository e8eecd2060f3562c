"""Compare two compressed sparse matrices row by row."""

import numpy as np
from numba import njit

__all__ = ["row_differences"]


@njit(cache=True, nogil=True)
def row_differences(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    other_indptr: np.ndarray,
    other_indices: np.ndarray,
    other_data: np.ndarray,
) -> np.ndarray:
    """Give six sums over all cells, as int64.

    In this order: how many cells both have with different data, and the total absolute difference of those; how many
    only the other has, and the total of data + 1 of those; how many only the first has, and the total of data + 1 of
    those. Indices ascend within each row.
    """
    out = np.zeros(6, np.int64)
    for row in range(len(indptr) - 1):
        a, b = indptr[row], other_indptr[row]
        end, other_end = indptr[row + 1], other_indptr[row + 1]
        while a < end or b < other_end:
            if b == other_end or (a < end and indices[a] < other_indices[b]):
                out[4] += 1
                out[5] += np.int64(data[a]) + 1
                a += 1
            elif a == end or other_indices[b] < indices[a]:
                out[2] += 1
                out[3] += np.int64(other_data[b]) + 1
                b += 1
            else:
                if data[a] != other_data[b]:
                    out[0] += 1
                    out[1] += abs(np.int64(data[a]) - np.int64(other_data[b]))
                a += 1
                b += 1
    return out
