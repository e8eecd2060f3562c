"""How often each value occurs in each group."""

from dataclasses import dataclass

import numpy as np

from .sensitive_values import SensitiveValues

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
    known: SensitiveValues | None = None
    """What is known about the values beside these groups: for columns of tables."""

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        return f"ValueCounts({len(self):,} groups, {self.n_values:,} values)"

    @property
    def n_distinct(self) -> np.ndarray:
        """How many different values occur in each group."""
        return np.diff(self.indptr)

    @property
    def groups(self) -> np.ndarray:
        """The group of each entry."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.n_distinct)

    @property
    def sizes(self) -> np.ndarray:
        """How many records of each group have a value."""
        return self.sums(self.counts)

    def sums(self, amounts: np.ndarray) -> np.ndarray:
        """Add up amounts, one an entry, by group."""
        out = np.zeros(len(self), amounts.dtype)
        filled = np.flatnonzero(self.n_distinct)
        if len(filled):
            out[filled] = np.add.reduceat(amounts, self.indptr[filled])
        return out

    def told_as(self, labels: np.ndarray, n_labels: int) -> "ValueCounts":
        """Give the counts of the labels of values; ``labels`` has the label of each value."""
        return self._added(self.groups * n_labels + labels[self.values], self.counts, n_labels, None)

    def without(self, groups: np.ndarray) -> "ValueCounts":
        """Return the counts of what is left when the records of some groups, a mask, are withheld."""
        gone = groups[self.groups]
        known = None if self.known is None else self.known.without(self.values[gone], self.counts[gone])
        indptr = np.concatenate([[0], np.cumsum(self.n_distinct[~groups])])
        return ValueCounts(indptr, self.values[~gone], self.counts[~gone], self.n_values, known)

    def __add__(self, other: "ValueCounts") -> "ValueCounts":
        """Add the counts of another block of the same groups and values."""
        assert len(self) == len(other)
        assert self.n_values == other.n_values
        assert (self.known is None) == (other.known is None)
        keys = np.concatenate([self._keys(), other._keys()])
        known = None if self.known is None or other.known is None else self.known + other.known
        return self._added(keys, np.concatenate([self.counts, other.counts]), self.n_values, known)

    def _keys(self) -> np.ndarray:
        return self.groups * self.n_values + self.values

    def _added(self, keys: np.ndarray, amounts: np.ndarray, n: int, known: SensitiveValues | None) -> "ValueCounts":
        """Add up what has the same key, the group times ``n`` plus the value."""
        distinct, place = np.unique(keys, return_inverse=True)
        counts = np.zeros(len(distinct), np.int64)
        np.add.at(counts, place, amounts)
        indptr = np.searchsorted(distinct, np.arange(len(self) + 1, dtype=np.int64) * n)
        return ValueCounts(indptr.astype(np.int64), (distinct % max(n, 1)).astype(np.int32), counts, n, known)
