"""Whole numbers of a small span, counted and looked up in a table."""

import numpy as np
from numba import njit

__all__ = ["count_values", "look_up"]


@njit(cache=True, nogil=True)
def count_values(values: np.ndarray, lowest: int, highest: int) -> np.ndarray:
    """Count how often each number from lowest to highest occurs; there are no others."""
    counts = np.zeros(highest - lowest + 1, np.int64)
    for i in range(len(values)):
        counts[np.int64(values[i]) - lowest] += 1
    return counts


@njit(cache=True, nogil=True)
def look_up(values: np.ndarray, lowest: int, table: np.ndarray) -> np.ndarray:
    """Give what the table, which begins at lowest, says of each value."""
    out = np.empty(len(values), table.dtype)
    for i in range(len(values)):
        out[i] = table[np.int64(values[i]) - lowest]
    return out
