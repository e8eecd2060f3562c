"""The different profiles of a release."""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.kernels.equal_rows import equal_rows

from .comparison import Comparison

__all__ = ["DistinctProfiles", "distinct_profiles"]


@dataclass(frozen=True)
class DistinctProfiles:
    """Each non-sensitive profile once, whether it was published once for several people or once for each of them."""

    matrix: RatingMatrix
    people: np.ndarray
    """How many people each stands for."""
    of_released: np.ndarray
    """For each released record, which of them it is."""

    def __len__(self) -> int:
        return len(self.matrix)


def distinct_profiles(comparison: Comparison) -> DistinctProfiles:
    """Find them; the records are ratings."""
    released = comparison.released
    assert isinstance(released, Ratings)
    matrix = released.observable
    labels, found = equal_rows(matrix.indptr, matrix.indices, matrix.codes)
    people = np.ones(len(released), np.int64) if released.people is None else released.people
    counts = np.zeros(found, np.int64)
    np.add.at(counts, labels, people)
    if found == len(released):  # numbered as they come, so there is nothing to copy
        return DistinctProfiles(matrix, counts, labels)
    firsts = np.unique(labels, return_index=True)[1]
    return DistinctProfiles(matrix.take(firsts), counts, labels)
