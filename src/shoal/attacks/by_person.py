"""Chances of records as chances of the people they are of."""

import numpy as np

__all__ = ["by_person"]


def by_person(chances: np.ndarray, persons: np.ndarray | None, *, worst: bool) -> np.ndarray:
    """Return one chance a person from one a record; ``persons`` says whose each is, None: every one another's.

    ``worst`` takes the record by which a person is found most surely: whoever knows all of a person's records looks for
    that one. Otherwise the records of a person are averaged, so that everybody counts alike.
    """
    if persons is None:
        return chances
    _, numbers, times = np.unique(persons, return_inverse=True, return_counts=True)
    if not worst:
        return np.bincount(numbers, chances) / times
    largest = np.zeros(len(times))
    np.maximum.at(largest, numbers, chances)
    return largest
