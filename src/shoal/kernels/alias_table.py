"""Weighted drawing in constant time a draw.

*Reference.* Walker 1977; Vose, A linear algorithm for generating random numbers with a given distribution, 1991.
"""

import numpy as np
from numba import njit

__all__ = ["alias_table"]


@njit(cache=True, nogil=True)
def alias_table(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give, for positive weights, each place's threshold in units of 2⁻³² and its alias.

    A draw takes a place at random and a number below 2³²; below the threshold it is the place, else its alias.
    """
    n = len(weights)
    share = weights * (n / weights.sum())
    thresholds = np.full(n, np.uint64(1) << np.uint64(32), np.uint64)
    aliases = np.arange(n).astype(np.int32)
    small, large = np.nonzero(share < 1.0)[0], np.nonzero(share >= 1.0)[0]
    lows = np.empty(n, np.int64)  # a stack: large places that have become small are pushed on it
    n_low, n_high = len(small), len(large)
    lows[:n_low] = small
    while n_low > 0 and n_high > 0:
        low, high = lows[n_low - 1], large[n_high - 1]
        n_low -= 1
        thresholds[low] = np.uint64(share[low] * 4294967296.0)
        aliases[low] = high
        share[high] -= 1.0 - share[low]
        if share[high] < 1.0:
            n_high -= 1
            lows[n_low] = high
            n_low += 1
    return thresholds, aliases
