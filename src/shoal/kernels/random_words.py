"""Streams of random 64-bit words that can be entered anywhere: SplitMix64, one stream an index.

A stream depends on a key and its own index alone, so rows may be made in any order, in blocks of any size and by any
number of threads, and come out the same.

*Reference.* Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
"""

import numpy as np
from numba import njit

__all__ = ["GOLDEN", "mixed", "stream"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""What is added to the state of a stream before each word."""


@njit(cache=True, nogil=True)
def mixed(word):
    """Give the word with its bits mixed; a bijection of the 64-bit words."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def stream(key, index):
    """Give the starting state of the stream with this index; its words are ``mixed(state += GOLDEN)``."""
    return mixed(key + mixed((np.uint64(index) + np.uint64(1)) * GOLDEN))
