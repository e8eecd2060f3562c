"""Words of 64 bits."""

import numpy as np
from numba import njit

__all__ = ["popcount", "trailing_zeros"]


@njit(cache=True, nogil=True)
def popcount(word: np.uint64) -> np.int64:
    """Count the bits that are set, in the form that compilers know and turn into one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def trailing_zeros(word: np.uint64) -> np.int64:
    """Give the place of the lowest bit that is set; there must be one."""
    lowest = word & (~word + np.uint64(1))
    return popcount(lowest - np.uint64(1))
