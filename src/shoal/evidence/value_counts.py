"""How often each value occurs in each group."""

from dataclasses import dataclass

import numpy as np

__all__ = ["ValueCounts"]


@dataclass(frozen=True, eq=False, repr=False)
class ValueCounts:
    """The values of one sensitive attribute by group, in compressed rows: only values that occur are stored."""

    indptr: np.ndarray
    """Where each group begins: int64, one more than there are groups."""
    values: np.ndarray
    """The codes that occur in a group, ascending: int32."""
    counts: np.ndarray
    """How many records of the group have the value: int64, all positive."""
    n_values: int
    """How many values the attribute has at all."""

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        return f"ValueCounts({len(self):,} groups, {self.n_values:,} values)"

    @property
    def n_distinct(self) -> np.ndarray:
        """How many different values occur in each group."""
        return np.diff(self.indptr)

    def __add__(self, other: "ValueCounts") -> "ValueCounts":
        """Add the counts of another block of the same groups and values."""
        assert len(self) == len(other)
        assert self.n_values == other.n_values
        keys = np.concatenate([self._keys(), other._keys()])
        distinct, place = np.unique(keys, return_inverse=True)
        counts = np.zeros(len(distinct), np.int64)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        indptr = np.searchsorted(distinct, np.arange(len(self) + 1, dtype=np.int64) * self.n_values)
        return ValueCounts(indptr.astype(np.int64), (distinct % self.n_values).astype(np.int32), counts, self.n_values)

    def _keys(self) -> np.ndarray:
        groups = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.indptr))
        return groups * self.n_values + self.values
