"""Number the distinct rows of a compressed sparse matrix."""

import numpy as np
from numba import njit, prange

__all__ = ["equal_patterns", "equal_rows"]


@njit(cache=True, nogil=True)
def equal_rows(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray) -> tuple[np.ndarray, int]:
    """Number rows so that two get the same number exactly when indices and data are equal.

    Rows with equal hashes are compared in full, so a collision can never change the answer.
    """
    n = len(indptr) - 1
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    table = np.full(size, -1, np.int64)
    hashes = _row_hashes(indptr, indices, data)
    labels = np.empty(n, np.int64)
    firsts = np.empty(n, np.int64)
    found = 0
    for i in range(n):
        slot = hashes[i] & mask
        while table[slot] >= 0:
            first = int(firsts[table[slot]])
            if hashes[first] == hashes[i] and _same_row(indptr, indices, data, first, i):
                break
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = found
            firsts[found] = i
            found += 1
        labels[i] = table[slot]
    return labels, found


@njit(cache=True, nogil=True)
def equal_patterns(indptr: np.ndarray, indices: np.ndarray) -> tuple[np.ndarray, int]:
    """Number rows so that two get the same number exactly when their indices are equal."""
    return equal_rows(indptr, indices, indices)


@njit(cache=True, nogil=True, parallel=True)
def _row_hashes(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray) -> np.ndarray:
    hashes = np.empty(len(indptr) - 1, np.uint64)
    for row in prange(len(hashes)):  # pyright: ignore[reportGeneralTypeIssues]
        mixed = np.uint64(indptr[row + 1] - indptr[row]) + np.uint64(0x9E3779B97F4A7C15)
        for j in range(indptr[row], indptr[row + 1]):
            mixed ^= (np.uint64(indices[j]) << np.uint64(20)) ^ np.uint64(data[j])
            mixed *= np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
        hashes[row] = mixed
    return hashes


@njit(cache=True, nogil=True)
def _same_row(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, one: int, other: int) -> bool:
    length = indptr[one + 1] - indptr[one]
    if indptr[other + 1] - indptr[other] != length:
        return False
    a, b = indptr[one], indptr[other]
    for j in range(length):
        if indices[a + j] != indices[b + j] or data[a + j] != data[b + j]:
            return False
    return True
