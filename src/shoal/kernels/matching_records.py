"""Records that agree with what is known of some items of somebody."""

import numpy as np
from numba import njit, prange

from .first_not_below import first_not_below

__all__ = ["count_matching", "rows_matching"]


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
) -> np.ndarray:
    """Give for each target how many people are behind the records that match.

    A record matches if it rates every item in the target's line of known, with a code between those in the lines of
    lowest and highest. Records are compressed rows; raters lists the rows that rate each item, which begin at
    raters_begin. Only the raters of a target's rarest item are looked at. A line of known may not be empty.
    """
    found = np.zeros(len(known), np.int64)
    n_items = len(raters_begin) - 1
    for target in prange(len(known)):  # pyright: ignore[reportGeneralTypeIssues]
        items = known[target]
        rarest = items[0]
        for item in items:
            if raters_begin[item + 1] - raters_begin[item] < raters_begin[rarest + 1] - raters_begin[rarest]:
                rarest = item
        for i in range(raters_begin[rarest], raters_begin[rarest + 1]):
            row = raters[i]
            if _agrees(indptr, indices, codes, n_items, row, items, lowest[target], highest[target]):
                found[target] += people[row]
    return found


@njit(cache=True, nogil=True)
def rows_matching(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    n_items: int,
    rows: np.ndarray,
    known: np.ndarray,
    lowest: np.ndarray,
    highest: np.ndarray,
) -> np.ndarray:
    """Say of each of the rows whether it matches what is known in its line, as :func:`count_matching` has it."""
    out = np.zeros(len(rows), np.bool_)
    for i in range(len(rows)):
        out[i] = _agrees(indptr, indices, codes, n_items, rows[i], known[i], lowest[i], highest[i])
    return out


@njit(cache=True, nogil=True)
def _agrees(indptr, indices, codes, n_items, row, items, lowest, highest):
    begin, end = indptr[row], indptr[row + 1]
    for j in range(len(items)):
        place = begin + items[j] if end - begin == n_items else first_not_below(indices, begin, end, items[j])
        if place == end or indices[place] != items[j]:
            return False
        if codes[place] < lowest[j] or codes[place] > highest[j]:
            return False
    return True
