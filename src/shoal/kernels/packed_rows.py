"""Rows of ratings in which each is one number, item · points + code: gathered, hashed, searched for faults."""

import numpy as np

from .compiled import compiled
from .sorting import stable_order

__all__ = ["faults_of_packed", "hashes_of_packed", "pack_by_tables", "rows_of_packed"]


@compiled
def rows_of_packed(rows: np.ndarray, values: np.ndarray, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where each row begins, and the values of each in ascending order; ``rows`` are the rows of the values."""
    begins = np.zeros(n_rows + 1, np.int64)
    for i in range(len(rows)):
        begins[rows[i] + 1] += 1
    for row in range(n_rows):
        begins[row + 1] += begins[row]
    cursor, placed = begins[:-1].copy(), np.empty_like(values)
    for i in range(len(rows)):
        placed[cursor[rows[i]]] = values[i]
        cursor[rows[i]] += 1
    for row in range(n_rows):
        _sort(placed[begins[row] : begins[row + 1]])
    return begins, placed


@compiled
def _sort(values):
    """Sort in place, unless they are in order already."""
    for i in range(1, len(values)):
        if values[i] < values[i - 1]:
            order, held = stable_order(values), values.copy()
            for place in range(len(values)):
                values[place] = held[order[place]]
            return


@compiled
def hashes_of_packed(
    begins: np.ndarray, values: np.ndarray, points: int, end: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return of each row a hash of its items, a hash of its items and codes, and how many values they are of.

    Values ascend within a row, and only those below ``end`` count.
    """
    n = len(begins) - 1
    patterns, profiles = np.empty(n, np.uint64), np.empty(n, np.uint64)
    counted = np.empty(n, np.int64)
    for row in range(n):
        pattern = profile = np.uint64(0x9E3779B97F4A7C15)
        i = begins[row]
        while i < begins[row + 1] and values[i] < end:
            value = np.uint64(values[i])
            pattern = _mixed(pattern, value // np.uint64(points))
            profile = _mixed(profile, value)
            i += 1
        counted[row] = i - begins[row]
        patterns[row] = _mixed(pattern, np.uint64(counted[row]))
        profiles[row] = _mixed(profile, np.uint64(counted[row]))
    return patterns, profiles, counted


@compiled
def _mixed(so_far, value):
    mixed = (so_far ^ value) * np.uint64(0xFF51AFD7ED558CCD)
    return mixed ^ (mixed >> np.uint64(32))


@compiled
def faults_of_packed(begins: np.ndarray, values: np.ndarray, points: int, end: int) -> tuple[int, int, int]:
    """Return how many values are below the one before in their row, or of the same item, or not below ``end``."""
    unordered = repeats = beyond = 0
    for row in range(len(begins) - 1):
        before, item = np.uint64(0), np.uint64(0)
        for i in range(begins[row], begins[row + 1]):
            value = np.uint64(values[i])
            own = value // np.uint64(points)
            if i > begins[row]:
                unordered += value < before
                repeats += own == item
            beyond += value >= np.uint64(end)
            before, item = value, own
    return int(unordered), int(repeats), int(beyond)


@compiled
def pack_by_tables(
    items: np.ndarray,
    first_item: int,
    places: np.ndarray,
    marks: np.ndarray,
    first_mark: int,
    codes: np.ndarray,
    points: int,
    none: int,
) -> np.ndarray:
    """Return each rating as one number, uint32: by a table of items and one of marks, which begin at the first of each.

    A mark whose code is not below the points of the scale is none.
    """
    packed = np.empty(len(items), np.uint32)
    for i in range(len(items)):
        code = np.int64(codes[np.int64(marks[i]) - first_mark])
        packed[i] = np.int64(places[np.int64(items[i]) - first_item]) * points + code if code < points else none
    return packed
