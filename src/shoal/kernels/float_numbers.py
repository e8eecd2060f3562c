"""Number the few different values among many floats."""

import numpy as np
from numba import njit

__all__ = ["number_floats"]

_MIX = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def number_floats(bits: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the different values in the order of first sight and, for each value, its number there: uint16.

    Values are given and told apart by their bits, as uint64. If there are more than ``most`` different ones, which is
    at most 65,536, nothing is numbered: what is given back is the first that are too many, and no numbers.
    """
    size = 16
    while size < 2 * most:
        size *= 2
    shift = np.uint64(64)
    while size >> (64 - shift) > 1:
        shift -= np.uint64(1)
    slots = np.full(size, -1, np.int32)
    found = np.empty(most + 1, np.uint64)
    numbers = np.empty(len(bits), np.uint16)
    seen = 0
    for i in range(len(bits)):
        slot = np.int64((bits[i] * _MIX) >> shift)
        while slots[slot] >= 0 and found[slots[slot]] != bits[i]:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            found[seen] = bits[i]
            if seen == most:
                return found, numbers[:0]
            slots[slot] = seen
            seen += 1
        numbers[i] = slots[slot]
    return found[:seen], numbers
