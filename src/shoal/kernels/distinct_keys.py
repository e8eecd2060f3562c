"""Number the distinct values of an array of keys."""

import numpy as np
from numba import njit

__all__ = ["distinct_keys"]


@njit(cache=True, nogil=True)
def distinct_keys(keys: np.ndarray) -> tuple[np.ndarray, int]:
    """Give each int64 key the number of its value, counted in order of first occurrence, and how many there are.

    Open addressing on a table at most half full; keys themselves are compared, so a collision costs time only.
    """
    n = len(keys)
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    table = np.full(size, -1, np.int64)
    labels = np.empty(n, np.int64)
    firsts = np.empty(n, np.int64)
    found = 0
    for i in range(n):
        mixed = np.uint64(keys[i]) * np.uint64(0x9E3779B97F4A7C15)
        slot = (mixed ^ (mixed >> np.uint64(32))) & mask
        while table[slot] >= 0 and keys[firsts[table[slot]]] != keys[i]:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = found
            firsts[found] = i
            found += 1
        labels[i] = table[slot]
    return labels, found
