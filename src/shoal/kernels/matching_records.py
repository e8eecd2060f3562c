"""Count the records that agree with what is known of some items of somebody."""

import numpy as np
from numba import njit, prange

__all__ = ["count_matching"]


@njit(cache=True, nogil=True, parallel=True)
def count_matching(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    raters_begin: np.ndarray,
    raters: np.ndarray,
    people: np.ndarray,
    known: np.ndarray,
    lowest: np.ndarray,
    highest: np.ndarray,
    own: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Give for each target how many people are behind the records that match, and whether its own record does.

    A record matches if it rates every item in the target's line of known, with a code between those in the lines of
    lowest and highest. Records are compressed rows; raters lists the rows that rate each item, which begin at
    raters_begin. Only the raters of a target's rarest item are looked at. A line of known may not be empty.
    """
    found = np.zeros(len(known), np.int64)
    matches = np.zeros(len(known), np.bool_)
    for target in prange(len(known)):  # pyright: ignore[reportGeneralTypeIssues]
        items = known[target]
        rarest = items[0]
        for item in items:
            if raters_begin[item + 1] - raters_begin[item] < raters_begin[rarest + 1] - raters_begin[rarest]:
                rarest = item
        for i in range(raters_begin[rarest], raters_begin[rarest + 1]):
            row = raters[i]
            if _agrees(indptr, indices, codes, row, items, lowest[target], highest[target]):
                found[target] += people[row]
                if row == own[target]:
                    matches[target] = True
    return found, matches


@njit(cache=True, nogil=True)
def _agrees(indptr, indices, codes, row, items, lowest, highest):
    begin, end = indptr[row], indptr[row + 1]
    for j in range(len(items)):
        low, high = begin, end
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < items[j]:
                low = middle + 1
            else:
                high = middle
        if low == end or indices[low] != items[j]:
            return False
        if codes[low] < lowest[j] or codes[low] > highest[j]:
            return False
    return True
