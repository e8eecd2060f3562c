"""Records that agree with what is known of some items of somebody."""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.compressed_rows import lower_bound

__all__ = [
    "UNIT",
    "compatible_people",
    "count_matching",
    "label_gaps",
    "matching_profiles",
    "matching_ratings",
    "rows_matching",
]


UNIT = 1_000_000_000
"""A distance of 1: distances are whole billionths, so that sums of them are equal where they should be."""


@compiled(parallel=True)
def label_gaps(
    values: np.ndarray,
    begins: np.ndarray,
    lows: np.ndarray,
    highs: np.ndarray,
    with_missing: np.ndarray,
    span: float,
) -> np.ndarray:
    """Return for each value, in a line, its distance to each label in billionths.

    Label i stands for the stretches from ``lows[j]`` to ``highs[j]`` with ``begins[i] <= j < begins[i + 1]``, and for
    what is missing (NaN) where ``with_missing[i]``. A distance is 0 for what a label stands for; otherwise the gap to
    the nearest stretch by ``span``, at least a billionth and at most 1, and 1 where there is no stretch, a value is
    missing, or the span is 0, which stands for values that are only equal or different.
    """
    gaps = np.full((len(values), len(with_missing)), UNIT, np.int32)
    for i in prange(len(values)):
        value = values[i]
        for label in range(len(with_missing)):
            if np.isnan(value):
                if with_missing[label]:
                    gaps[i, label] = 0
                continue
            least = np.inf
            for j in range(begins[label], begins[label + 1]):
                least = min(least, max(lows[j] - value, value - highs[j], 0.0))
            if least == 0:
                gaps[i, label] = 0
            elif least < span:
                gaps[i, label] = max(int(np.rint(least / span * UNIT)), 1)
    return gaps


@compiled(parallel=True)
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
    """Return for each target how many people are behind the records that match.

    A record matches if it rates every item in the target's line of known, with a code between those in the lines of
    lowest and highest. Records are compressed rows; raters lists the rows that rate each item, which begin at
    raters_begin. Only the raters of a target's rarest item are looked at. A line of known may not be empty.
    """
    found = np.zeros(len(known), np.int64)
    n_items = len(raters_begin) - 1
    for target in prange(len(known)):
        items = known[target]
        rarest = _rarest(raters_begin, items)
        for i in range(raters_begin[rarest], raters_begin[rarest + 1]):
            row = raters[i]
            if _agrees(indptr, indices, codes, n_items, row, items, lowest[target], highest[target]):
                found[target] += people[row]
    return found


@compiled(parallel=True)
def matching_profiles(
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
    """Return for each target four figures on the records that match, which are all different.

    They are the people behind all of them, the number of records, the most people behind one of them, and the number of
    records with so many. Matching and the arguments are those of :func:`count_matching`.
    """
    found = np.zeros((len(known), 4), np.int64)
    n_items = len(raters_begin) - 1
    for target in prange(len(known)):
        items = known[target]
        rarest = _rarest(raters_begin, items)
        for i in range(raters_begin[rarest], raters_begin[rarest + 1]):
            row = raters[i]
            if _agrees(indptr, indices, codes, n_items, row, items, lowest[target], highest[target]):
                found[target, 0] += people[row]
                found[target, 1] += 1
                if people[row] > found[target, 2]:
                    found[target, 2] = people[row]
                    found[target, 3] = 0
                found[target, 3] += people[row] == found[target, 2]
    return found


@compiled(parallel=True)
def matching_ratings(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    raters_begin: np.ndarray,
    raters: np.ndarray,
    people: np.ndarray,
    known: np.ndarray,
    lowest: np.ndarray,
    highest: np.ndarray,
    sought: np.ndarray,
    true: np.ndarray,
    parts: int,
    points: int,
) -> np.ndarray:
    """Return for each target seven figures on how the records that match rate the item that is sought.

    They are the people behind all of them and behind those that rate it; the lowest and the highest code; and, with
    codes rounded to the coarser scale whose steps have so many parts, the people behind the most frequent rating, the
    number of ratings as frequent, and the people behind the true one. Codes are −1 where nobody rates the item.
    Matching and the other arguments are those of :func:`count_matching`.
    """
    found = np.zeros((len(known), 7), np.int64)
    n_items = len(raters_begin) - 1
    for target in prange(len(known)):
        items, item = known[target], sought[target]
        rarest = _rarest(raters_begin, items)
        given = np.zeros(points, np.int64)
        low, high = -1, -1
        for i in range(raters_begin[rarest], raters_begin[rarest + 1]):
            row = raters[i]
            if _agrees(indptr, indices, codes, n_items, row, items, lowest[target], highest[target]):
                found[target, 0] += people[row]
                place = lower_bound(indices, indptr[row], indptr[row + 1], item)
                if place < indptr[row + 1] and indices[place] == item:
                    code = np.int64(codes[place])
                    low = code if low < 0 else min(low, code)
                    high = max(high, code)
                    given[(2 * code + parts) // (2 * parts)] += people[row]
        found[target, 1], found[target, 2], found[target, 3] = given.sum(), low, high
        most = given.max()
        found[target, 4], found[target, 5], found[target, 6] = most, (given == most).sum(), given[true[target]]
    return found


@compiled
def _rarest(raters_begin, items):
    rarest = items[0]
    for item in items:
        if raters_begin[item + 1] - raters_begin[item] < raters_begin[rarest + 1] - raters_begin[rarest]:
            rarest = item
    return rarest


@compiled
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
    """Return for each row whether it matches the background knowledge in its line, as in :func:`count_matching`."""
    out = np.zeros(len(rows), np.bool_)
    for i in range(len(rows)):
        out[i] = _agrees(indptr, indices, codes, n_items, rows[i], known[i], lowest[i], highest[i])
    return out


@compiled
def _agrees(indptr, indices, codes, n_items, row, items, lowest, highest):
    begin, end = indptr[row], indptr[row + 1]
    for j in range(len(items)):
        place = begin + items[j] if end - begin == n_items else lower_bound(indices, begin, end, items[j])
        if place == end or indices[place] != items[j]:
            return False
        if codes[place] < lowest[j] or codes[place] > highest[j]:
            return False
    return True


@compiled
def compatible_people(
    groups: np.ndarray,
    known: np.ndarray,
    read: np.ndarray,
    persons: np.ndarray,
    wild: np.ndarray,
    excluded: np.ndarray,
    order: np.ndarray,
    group_offsets: np.ndarray,
) -> np.ndarray:
    """Return for each record how many people of its group have a record that its known value does not exclude.

    ``order`` sorts records by group and known value, ``group_offsets`` by group. Records that are ``wild`` are never
    excluded.
    """
    n = len(groups)
    left = np.zeros(n, np.int64)
    seen = np.full(persons.max() + 1 if n else 0, -1, np.int64)
    begin = 0  # of the group
    place = 0
    while place < n:
        row = order[place]
        group, value = groups[row], known[row]
        while groups[group_offsets[begin]] != group:
            begin += 1
        people = 0
        other = begin
        while other < n and groups[group_offsets[other]] == group:
            candidate = group_offsets[other]
            possible = wild[candidate] or not excluded[value, read[candidate]]
            if possible and seen[persons[candidate]] != place:
                seen[persons[candidate]] = place
                people += 1
            other += 1
        while place < n and groups[order[place]] == group and known[order[place]] == value:
            left[order[place]] = people
            place += 1
    return left
