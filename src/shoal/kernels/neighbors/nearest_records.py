"""Which records are nearest to what is known of somebody, by squared differences of ratings."""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sorting import copy_into, nth_smallest, stable_order

__all__ = [
    "BOTH_NEAR",
    "BOTH_TIED",
    "NEAR_LEFT",
    "NEAR_RIGHT",
    "NEAR_TIED",
    "OWN_LEFT",
    "OWN_RIGHT",
    "PARTS",
    "TIED_LEFT",
    "TIED_NEAR",
    "TIED_RIGHT",
    "meeting_neighbors",
    "nearest_records",
]


PARTS = 4096
"""The parts of a squared step in which squared differences are counted, so that sums are exact and ties are ties."""


@compiled(parallel=True)
def nearest_records(
    raters_begin: np.ndarray,
    raters: np.ndarray,
    codes: np.ndarray,
    people: np.ndarray,
    begins: np.ndarray,
    known: np.ndarray,
    known_codes: np.ndarray,
    lines: np.ndarray,
    own: np.ndarray,
    whole: bool,
    n_parts: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Compare records with lines of known ratings; return which are nearest to each.

    Raters are the records of each item, with their codes. The known items of a line and their codes lie from its place
    in begins to the next. A known rating and that of a record are as far apart as the square of their difference; where
    the record has none, as the known rating is on average from those of the item, a record counting for all its people.
    With whole, what is known is everything: where the record has a rating and the line has none, they are as far apart
    as any two ratings of the item on average, and where neither has one they are alike. Averages are rounded to PARTS.

    Returned are, for each of the lines asked for, how many people are behind the nearest records, and whether own is
    one.
    """
    n_records = len(people)
    means, squares = _averages(raters_begin, raters, codes, people)
    nearest, own_is_nearest = np.empty(len(lines), np.int64), np.empty(len(lines), np.bool_)
    alone = np.zeros(n_records, np.int64)  # distances of records from one without ratings
    if whole:
        for item in range(len(raters_begin) - 1):
            for i in range(raters_begin[item], raters_begin[item + 1]):
                alone[raters[i]] += _any_two(means[item], squares[item])
    for part in prange(n_parts):
        distances = np.empty(n_records, np.int64)
        for place in range(part, len(lines), n_parts):
            copy_into(distances, alone)
            for j in range(begins[lines[place]], begins[lines[place] + 1]):
                item, code = known[j], np.int64(known_codes[j])
                missing = _from_anybody(means[item], squares[item], code)
                if whole:
                    missing += _any_two(means[item], squares[item])
                for i in range(raters_begin[item], raters_begin[item + 1]):
                    seen = np.int64(codes[i])
                    # the same for all records is what the line is from one without ratings; here is the change
                    distances[raters[i]] += PARTS * (seen - code) * (seen - code) - missing
            least, found = distances[0], np.int64(0)
            for row in range(n_records):
                if distances[row] < least:
                    least, found = distances[row], np.int64(0)
                if distances[row] == least:
                    found += people[row]
            nearest[place] = found
            own_is_nearest[place] = distances[own[place]] == least
    return nearest, own_is_nearest


@compiled
def _averages(raters_begin, raters, codes, people):
    """Return the mean of each item's codes and that of their squares; 0 where nobody has rated it."""
    n_items = len(raters_begin) - 1
    means, squares = np.zeros(n_items), np.zeros(n_items)
    for item in range(n_items):
        n, total, square = np.int64(0), np.int64(0), np.int64(0)
        for i in range(raters_begin[item], raters_begin[item + 1]):
            code, several = np.int64(codes[i]), people[raters[i]]
            n += several
            total += several * code
            square += several * code * code
        if n > 0:
            means[item], squares[item] = total / n, square / n
    return means, squares


@compiled
def _from_anybody(mean, square, code):
    """Return the mean squared difference of a code from those of an item."""
    return np.int64(PARTS * (square - 2 * mean * code + np.float64(code) * code) + 0.5)


@compiled
def _any_two(mean, square):
    """Return the mean squared difference of two codes of an item, drawn one after the other."""
    return np.int64(PARTS * 2 * (square - mean * mean) + 0.5)


NEAR_LEFT, TIED_LEFT, NEAR_RIGHT, TIED_RIGHT, BOTH_NEAR, NEAR_TIED, TIED_NEAR, BOTH_TIED, OWN_LEFT, OWN_RIGHT = range(
    10
)
_TIED, _NEAR = 1, 2


@compiled
def _nearest(gaps, classes, sizes, asked, wanted):
    """Return for each class of records whether it is among the ``wanted`` nearest (2), tied for that (1) or not (0)."""
    n_classes, width = classes.shape
    distances = np.zeros(n_classes, np.int64)
    for at in range(n_classes):
        for column in range(width):
            distances[at] += gaps[asked[column] + classes[at, column]]
    # as every class has a record, the first ``wanted`` classes have at least ``wanted`` records
    limit = nth_smallest(distances, min(wanted, n_classes) - 1)
    found = np.flatnonzero(distances <= limit)
    found = found[stable_order(distances[found])]
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


@compiled(parallel=True)
def meeting_neighbors(left, right, pairs, asked_left, asked_right, own, wanted):
    """Return for each target, in a line, how many records are nearest by either side and by both.

    A side is three arrays: distances to the labels of a column, for one value after another; the labels of each class
    of records that are alike on the side, by column; and how many records each class has. ``pairs`` are three: for each
    left class, where its pairs begin; their right classes; and how many records each has. ``asked_left`` and
    ``asked_right`` say where the distances of the values of the targets start, by column; ``own`` has the
    left and the right class of the record that is theirs, −1 if there is none. ``wanted`` records are taken on each
    side: all that are *near*, and some of those *tied* behind them. The figures are named above; of the own record it
    is marked as near (2), tied (1) or neither.
    """
    published = np.zeros((len(asked_left), 10), np.int64)
    for i in prange(len(asked_left)):
        by_left, near_left, tied_left = _nearest(left[0], left[1], left[2], asked_left[i], wanted)
        by_right, near_right, tied_right = _nearest(right[0], right[1], right[2], asked_right[i], wanted)
        published[i, NEAR_LEFT], published[i, TIED_LEFT] = near_left, tied_left
        published[i, NEAR_RIGHT], published[i, TIED_RIGHT] = near_right, tied_right
        for at in range(len(by_left)):
            if by_left[at]:
                for pair in range(pairs[0][at], pairs[0][at + 1]):
                    other = by_right[pairs[1][pair]]
                    if other:
                        both = BOTH_NEAR + 2 * (_NEAR - by_left[at]) + (_NEAR - other)
                        published[i, both] += pairs[2][pair]
        if own[i, 0] >= 0:
            published[i, OWN_LEFT], published[i, OWN_RIGHT] = by_left[own[i, 0]], by_right[own[i, 1]]
    return published
