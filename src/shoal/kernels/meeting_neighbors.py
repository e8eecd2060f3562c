"""Where the records nearest by some columns and those nearest by others meet."""

import numpy as np
from numba import njit, prange

__all__ = [
    "BOTH_NEAR",
    "BOTH_TIED",
    "NEAR_LEFT",
    "NEAR_RIGHT",
    "NEAR_TIED",
    "OWN_LEFT",
    "OWN_RIGHT",
    "TIED_LEFT",
    "TIED_NEAR",
    "TIED_RIGHT",
    "meeting_neighbors",
]

NEAR_LEFT, TIED_LEFT, NEAR_RIGHT, TIED_RIGHT, BOTH_NEAR, NEAR_TIED, TIED_NEAR, BOTH_TIED, OWN_LEFT, OWN_RIGHT = range(
    10
)
_TIED, _NEAR = 1, 2


@njit(cache=True, nogil=True)
def _nearest(gaps, classes, sizes, asked, wanted):
    """Return for each class of records whether it is among the nearest so many records (2), tied for it (1) or not."""
    n_classes, width = classes.shape
    distances = np.zeros(n_classes, np.int64)
    for at in range(n_classes):
        for column in range(width):
            distances[at] += gaps[asked[column] + classes[at, column]]
    # the first so many classes have at least so many records
    limit = np.partition(distances, min(wanted, n_classes) - 1)[min(wanted, n_classes) - 1]
    found = np.flatnonzero(distances <= limit)
    found = found[np.argsort(distances[found], kind="mergesort")]
    standing = np.zeros(n_classes, np.int8)
    near = tied = first = 0
    while near + tied < wanted and first < len(found):
        for at in found[:first]:
            standing[at] = _NEAR
        near, tied = near + tied, 0
        distance = distances[found[first]]
        while first < len(found) and distances[found[first]] == distance:
            standing[found[first]] = _TIED
            tied += sizes[found[first]]
            first += 1
    return standing, near, tied


@njit(cache=True, nogil=True, parallel=True)
def meeting_neighbors(left, right, pairs, asked_left, asked_right, own, wanted):
    """Return for each who is looked for, in a line, how many records are nearest by either side and by both.

    A side is three arrays: distances to the labels of a column, for one value after another; the labels of each class
    of records that are alike on the side, by column; and how many records each class has. ``pairs`` are three: for each
    left class, where its pairs begin; their right classes; and how many records each has. ``asked_left`` and
    ``asked_right`` say where the distances of the values of those who are looked for start, by column; ``own`` has the
    left and the right class of the record that is theirs, −1 if there is none. ``wanted`` records are taken on each
    side: all that are *near*, and some of those *tied* behind them. The figures are named above; of the own record it
    is told whether it is near (2), tied (1) or neither.
    """
    told = np.zeros((len(asked_left), 10), np.int64)
    for i in prange(len(asked_left)):  # pyright: ignore[reportGeneralTypeIssues]
        by_left, near_left, tied_left = _nearest(left[0], left[1], left[2], asked_left[i], wanted)
        by_right, near_right, tied_right = _nearest(right[0], right[1], right[2], asked_right[i], wanted)
        told[i, NEAR_LEFT], told[i, TIED_LEFT] = near_left, tied_left
        told[i, NEAR_RIGHT], told[i, TIED_RIGHT] = near_right, tied_right
        for at in range(len(by_left)):
            if by_left[at]:
                for pair in range(pairs[0][at], pairs[0][at + 1]):
                    other = by_right[pairs[1][pair]]
                    if other:
                        both = BOTH_NEAR + 2 * (_NEAR - by_left[at]) + (_NEAR - other)
                        told[i, both] += pairs[2][pair]
        if own[i, 0] >= 0:
            told[i, OWN_LEFT], told[i, OWN_RIGHT] = by_left[own[i, 0]], by_right[own[i, 1]]
    return told
