"""How many people of a group are compatible with what is known of one of them."""

import numpy as np
from numba import njit

__all__ = ["compatible_people"]


@njit(cache=True, nogil=True)
def compatible_people(
    groups: np.ndarray,
    known: np.ndarray,
    read: np.ndarray,
    persons: np.ndarray,
    wild: np.ndarray,
    excluded: np.ndarray,
    order: np.ndarray,
    by_group: np.ndarray,
) -> np.ndarray:
    """Return for each record how many people of its group have a record that its known value does not exclude.

    ``order`` sorts records by group and known value, ``by_group`` by group. Records that are ``wild`` are never
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
        while groups[by_group[begin]] != group:
            begin += 1
        people = 0
        other = begin
        while other < n and groups[by_group[other]] == group:
            candidate = by_group[other]
            possible = wild[candidate] or not excluded[value, read[candidate]]
            if possible and seen[persons[candidate]] != place:
                seen[persons[candidate]] = place
                people += 1
            other += 1
        while place < n and groups[order[place]] == group and known[order[place]] == value:
            left[order[place]] = people
            place += 1
    return left
