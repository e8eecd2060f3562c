"""The sizes of equivalence classes and the sensitive values in them. Counts of blocks of records add up."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.data import Column

__all__ = ["GroupCounts", "SensitiveValues", "ValueCounts"]


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveValues:
    """How often each sensitive value occurs in all records, and what the schema declares about the values.

    Groups are judged against it, be they all groups or a few candidates. Those of two blocks of records add.
    """

    column: Column
    """The column, for what it declares about its values; its records do not matter."""
    totals: np.ndarray
    """How many of all records have each value: int64."""

    def __post_init__(self) -> None:
        assert self.totals.dtype == np.int64
        assert len(self.totals) == len(self.column.vocabulary)

    def __repr__(self) -> str:
        return f"SensitiveValues({len(self.totals):,} values)"

    @classmethod
    def of(cls, column: Column) -> "SensitiveValues":
        """Count the values of a whole column."""
        return cls(column, np.bincount(column.codes, minlength=len(column.vocabulary)).astype(np.int64))

    def __add__(self, other: "SensitiveValues") -> "SensitiveValues":
        """Add those of another block of records of the same column."""
        return SensitiveValues(self.column, self.totals + other.totals)

    def without(self, values: np.ndarray, counts: np.ndarray) -> "SensitiveValues":
        """Return what is left when ``counts`` records with these ``values``, which may repeat, are withheld."""
        gone = np.bincount(values, counts, minlength=len(self.totals)).astype(np.int64)  # below 2⁵³: exact
        return SensitiveValues(self.column, self.totals - gone)

    @property
    def n_categories(self) -> int:
        """How many categories were declared."""
        return len(self.column.categories)

    @cached_property
    def categories(self) -> np.ndarray:
        """The category of each value, the most sensitive being 0; ``n_categories`` for values in none: int32."""
        category = self.column.category_of
        return np.where(category < 0, np.int32(self.n_categories), category)

    @cached_property
    def positions(self) -> np.ndarray:
        """The place of each value that occurs among those that do, in their order; −1 for the others: int64."""
        ranks = self.column.rank_of
        assert ranks is not None, "the values have an order"
        occurring = np.flatnonzero(self.totals)
        positions = np.full(len(self.totals), -1, np.int64)
        positions[occurring[np.argsort(ranks[occurring], kind="stable")]] = np.arange(len(occurring))
        return positions

    @property
    def levels(self) -> tuple[np.ndarray, ...]:
        """The label of each value at every level of the hierarchy, from the value itself up to below the root."""
        assert self.column.hierarchy is not None, "the values have a hierarchy"
        return self.column.hierarchy.maps[:-1]


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
    """How the values are distributed in all records, and what is declared about them: for columns of tables."""

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

    def by_label(self, labels: np.ndarray, n_labels: int) -> "ValueCounts":
        """Return the counts of the values generalized to labels; ``labels`` has the label of each value."""
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


@dataclass(frozen=True, eq=False, repr=False)
class GroupCounts:
    """Whole numbers by group: how many records, and of each sensitive attribute how many records a value."""

    sizes: np.ndarray
    """Records in each group: int64."""
    sensitive: tuple[ValueCounts, ...] = ()
    """One entry a sensitive attribute; empty when nobody asked for them."""

    def __post_init__(self) -> None:
        assert self.sizes.dtype == np.int64
        assert all(len(counts) == len(self.sizes) for counts in self.sensitive)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"GroupCounts({len(self):,} groups, {len(self.sensitive)} sensitive attributes)"

    def __add__(self, other: "GroupCounts") -> "GroupCounts":
        """Add the counts of another block of records under the same group labels."""
        assert len(self.sensitive) == len(other.sensitive)
        sensitive = tuple(mine + theirs for mine, theirs in zip(self.sensitive, other.sensitive, strict=True))
        return GroupCounts(self.sizes + other.sizes, sensitive)

    def without(self, groups: np.ndarray) -> "GroupCounts":
        """Return the counts of what is left when the records of some groups, a mask, are withheld."""
        return GroupCounts(self.sizes[~groups], tuple(counts.without(groups) for counts in self.sensitive))

    def among(self, everybody: "GroupCounts") -> "GroupCounts":
        """Return these counts as those of candidate groups among all the records of ``everybody``."""
        pairs = zip(self.sensitive, everybody.sensitive, strict=True)
        return replace(self, sensitive=tuple(replace(mine, known=theirs.known) for mine, theirs in pairs))
