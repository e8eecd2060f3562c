"""How far people are from published profiles, on the items they rated."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from shoal.data import RatingMatrix

__all__ = ["profile_distances"]

_CELLS = 1 << 22
"""So many cells are worked on at a time."""


def profile_distances(people: RatingMatrix, profiles: RatingMatrix, parts: int = 1) -> Iterator[tuple[int, np.ndarray]]:
    """Give blocks of squared distances, people × profiles: the first profile of each block, and the distances.

    Only items that the person rated count. Distances are in steps of the profiles' scale, ``parts`` of which are one of
    the people's; a null in a profile stands one step of the people's scale below the lowest rating. All numbers are
    whole and exact.
    """
    given = _rows(people, (people.codes.astype(np.float64) + 1) * parts)
    rated = _rows(people, np.ones(people.n_ratings))
    squares = np.asarray((given * given).sum(axis=1))[:, None]
    size = max(_CELLS // max(len(people.items), len(people), 1), 1)
    for start in range(0, len(profiles), size):
        some = profiles.take(np.arange(start, min(start + size, len(profiles))))
        told = _rows(some, some.codes.astype(np.float64) + parts).toarray().T  # null is 0
        yield start, squares - 2 * (given @ told) + rated @ told**2


def _rows(matrix: RatingMatrix, values: np.ndarray) -> csr_array:
    return csr_array((values, matrix.indices, matrix.indptr), shape=(len(matrix), len(matrix.items)))
