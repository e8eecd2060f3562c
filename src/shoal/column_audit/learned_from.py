"""The records from which it is learned what goes together."""

from dataclasses import dataclass

import numpy as np

from shoal.evidence import PairCounts

__all__ = ["LearnedFrom", "one_record_a_person"]


@dataclass(frozen=True, eq=False)
class LearnedFrom:
    """All records, in which a person counts once a pair of values, or some rows of them, each for itself."""

    persons: np.ndarray | None = None
    rows: np.ndarray | None = None

    def pairs(self, one: np.ndarray, n_one: int, other: np.ndarray, n_other: int) -> PairCounts:
        """Count the pairs of values of two columns."""
        if self.rows is not None:
            return PairCounts.of(one[self.rows], n_one, other[self.rows], n_other)
        return PairCounts.of(one, n_one, other, n_other, self.persons)


def one_record_a_person(persons: np.ndarray) -> np.ndarray:
    """Return the row of everybody's first record.

    Whoever has many different records is one exception then, and not as many as there are records.
    """
    return np.sort(np.unique(persons, return_index=True)[1])
