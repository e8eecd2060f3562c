"""Weighted samples without replacement, one a row."""

import math

import numpy as np
from numba import njit

from .random_words import GOLDEN, mixed, stream

__all__ = ["sample_rows"]


@njit(cache=True, nogil=True)
def sample_rows(
    first_row: int,
    indptr: np.ndarray,
    fixed_indptr: np.ndarray,
    fixed: np.ndarray,
    weights: np.ndarray,
    thresholds: np.ndarray,
    aliases: np.ndarray,
    key: np.uint64,
) -> np.ndarray:
    """Give for each row distinct places in ascending order, as many as its pointers say.

    The places fixed for a row are taken first; the others are drawn one after the other with chances in proportion to
    the weights of those not yet taken. Most are drawn from the alias table and refused when taken already. A row that
    asks for so much that refusals abound gets the rest by exponential keys, which follows the same law: successive
    sampling has no memory but the set already taken.
    """
    places = np.empty(indptr[-1] - indptr[0], np.int32)
    taken = np.zeros(len(weights), np.bool_)
    for row in range(len(indptr) - 1):
        mine = places[indptr[row] - indptr[0] : indptr[row + 1] - indptr[0]]
        given = fixed[fixed_indptr[row] : fixed_indptr[row + 1]]
        mine[: len(given)] = given
        for place in given:
            taken[place] = True
        state, got = _draw(stream(key, first_row + row), len(given), mine, taken, thresholds, aliases)
        if got < len(mine):
            _fill_by_keys(state, got, mine, taken, weights)
        mine.sort()
        for place in mine:
            taken[place] = False
    return places


@njit(cache=True, nogil=True)
def _draw(state, got, mine, taken, thresholds, aliases):
    """Draw and refuse until the row is full or as many draws are spent as a pass over all places would cost."""
    n = np.uint64(len(taken))
    for _ in range(len(mine) + len(taken)):
        if got == len(mine):
            break
        state += GOLDEN
        word = mixed(state)
        place = np.int64(((word >> np.uint64(32)) * n) >> np.uint64(32))
        if (word & np.uint64(0xFFFFFFFF)) >= thresholds[place]:
            place = np.int64(aliases[place])
        if not taken[place]:
            taken[place] = True
            mine[got] = place
            got += 1
    return state, got


@njit(cache=True, nogil=True)
def _fill_by_keys(state, got, mine, taken, weights):
    """Fill the row with the places of the smallest exponential keys: Efraimidis and Spirakis 2006."""
    free = np.nonzero(~taken)[0]
    keys = np.empty(len(free))
    for at in range(len(free)):
        state += GOLDEN
        unit = (np.float64(mixed(state) >> np.uint64(11)) + 1.0) * 2.0**-53  # never 0
        keys[at] = -math.log(unit) / weights[free[at]]
    last = np.partition(keys, len(mine) - got - 1)[len(mine) - got - 1]
    for at in range(len(free)):
        if got < len(mine) and keys[at] <= last:
            mine[got] = free[at]
            got += 1
