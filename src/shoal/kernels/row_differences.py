"""Compare two compressed sparse matrices row by row."""

import numpy as np
from numba import njit, prange

__all__ = ["row_differences"]

_STEP = 256


@njit(cache=True, nogil=True, parallel=True)
def row_differences(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    other_indptr: np.ndarray,
    other_indices: np.ndarray,
    other_data: np.ndarray,
    other_rows: np.ndarray,
) -> np.ndarray:
    """Give six sums over cells for each block of rows, as int64; other_rows says which row of the other is meant.

    In this order: how many cells both have with different data, and the total absolute difference of those; how many
    only the other has, and the total of data + 1 of those; how many only the first has, and the total of data + 1 of
    those. Indices ascend within each row.
    """
    n = len(indptr) - 1
    out = np.zeros(((n + _STEP - 1) // _STEP, 6), np.int64)
    for block in prange(len(out)):  # pyright: ignore[reportGeneralTypeIssues]
        sums = np.zeros(6, np.int64)
        for row in range(block * _STEP, min(n, (block + 1) * _STEP)):
            a, b = indptr[row], other_indptr[other_rows[row]]
            end, other_end = indptr[row + 1], other_indptr[other_rows[row] + 1]
            while a < end or b < other_end:
                if b == other_end or (a < end and indices[a] < other_indices[b]):
                    sums[4] += 1
                    sums[5] += np.int64(data[a]) + 1
                    a += 1
                elif a == end or other_indices[b] < indices[a]:
                    sums[2] += 1
                    sums[3] += np.int64(other_data[b]) + 1
                    b += 1
                else:
                    if data[a] != other_data[b]:
                        sums[0] += 1
                        sums[1] += abs(np.int64(data[a]) - np.int64(other_data[b]))
                    a += 1
                    b += 1
        out[block] = sums
    return out
