"""Number small whole numbers in the order they are first seen."""

import numpy as np
from numba import njit

__all__ = ["first_seen"]


@njit(cache=True, nogil=True)
def first_seen(values, table, seen):
    """Give each value its number; table holds the number of each value met so far, −1 elsewhere.

    Values lie between 0 and the length of the table. New numbers go on from seen; how many there are then is given
    back as well.
    """
    numbers = np.empty(len(values), np.int32)
    for i in range(len(values)):
        value = values[i]
        if table[value] < 0:
            table[value] = seen
            seen += 1
        numbers[i] = table[value]
    return numbers, seen
