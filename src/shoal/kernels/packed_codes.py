"""Numbers that stand for several codes each: what the codes are worth, added up."""

import numpy as np

from .compiled import compiled

__all__ = ["add_worths"]


@compiled
def add_worths(numbers: np.ndarray, sizes: np.ndarray, begins: np.ndarray, worths: np.ndarray, out: np.ndarray) -> None:
    """Add to ``out`` what the digits of each number are worth, the first of which counts least: all uint64.

    There are sizes[j] digits at the j-th place, and digit d there is worth worths[begins[j] + d].
    """
    last = len(sizes) - 1
    for i in range(len(numbers)):
        rest, total = numbers[i], np.uint64(0)
        for j in range(last):
            above = rest // sizes[j]
            total += worths[begins[j] + np.int64(rest - above * sizes[j])]
            rest = above
        out[i] += total + worths[begins[last] + np.int64(rest)]
