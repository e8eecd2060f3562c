"""The most frequent partner of each value, and how far it leads."""

import numpy as np
from numba import njit

__all__ = ["leading_counts"]


@njit(cache=True, nogil=True)
def leading_counts(
    one: np.ndarray, other: np.ndarray, counts: np.ndarray, n_one: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each of the first values its largest count, the second value it is of, and its next largest count.

    Each pair of values is given once. Of second values that are as frequent the lowest leads; a value without any has
    counts of 0 and the partner 0.
    """
    most = np.zeros(n_one, np.int64)
    mode = np.zeros(n_one, np.int64)
    second = np.zeros(n_one, np.int64)
    for place in range(len(one)):
        value, count = one[place], counts[place]
        if count > most[value] or (count == most[value] and other[place] < mode[value]):
            second[value] = most[value]
            most[value] = count
            mode[value] = other[place]
        elif count > second[value]:
            second[value] = count
    return most, mode, second
