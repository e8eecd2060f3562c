"""Which records are nearest to what is known of somebody, by squared differences of ratings."""

import numpy as np
from numba import njit, prange

__all__ = ["PARTS", "nearest_records"]

PARTS = 4096
"""Squared differences are counted in so many parts of a squared step, so that sums are exact and ties are ties."""


@njit(cache=True, nogil=True, parallel=True)
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
    """Compare records with lines of known ratings; give who is nearest to each.

    Raters are the records of each item, with their codes. The known items of a line and their codes lie from its place
    in begins to the next. A known rating and that of a record are as far apart as the square of their difference; where
    the record has none, as the known rating is on average from those of the item, a record counting for all its people.
    With whole, what is known is everything: where the record has a rating and the line has none, they are as far apart
    as any two ratings of the item on average, and where neither has one they are alike. Averages are rounded to PARTS.

    Given are, for each of the lines asked for, how many people are behind the nearest records, and whether own is one.
    """
    n_records = len(people)
    means, squares = _averages(raters_begin, raters, codes, people)
    nearest, own_is_nearest = np.empty(len(lines), np.int64), np.empty(len(lines), np.bool_)
    alone = np.zeros(n_records, np.int64)  # how far records are from somebody who has rated nothing
    if whole:
        for item in range(len(raters_begin) - 1):
            for i in range(raters_begin[item], raters_begin[item + 1]):
                alone[raters[i]] += _any_two(means[item], squares[item])
    for part in prange(n_parts):  # pyright: ignore[reportGeneralTypeIssues]
        distances = np.empty(n_records, np.int64)
        for place in range(part, len(lines), n_parts):
            distances[:] = alone
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


@njit(cache=True, nogil=True)
def _averages(raters_begin, raters, codes, people):
    """Give the mean of each item's codes and that of their squares; 0 where nobody has rated it."""
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


@njit(cache=True, nogil=True)
def _from_anybody(mean, square, code):
    """Give the mean squared difference of a code from those of an item."""
    return np.int64(PARTS * (square - 2 * mean * code + np.float64(code) * code) + 0.5)


@njit(cache=True, nogil=True)
def _any_two(mean, square):
    """Give the mean squared difference of two codes of an item, drawn one after the other."""
    return np.int64(PARTS * 2 * (square - mean * mean) + 0.5)
