"""Counts of the values of segments: all that is needed to cut a segment and to judge its parts.

Records are counted wherever they are, for all segments in one go; what comes here is an entry for each value that
occurs in a segment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Self

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.partitioned.sums import sums_by_key

from .cut_tree import CutTree, FollowCuts

__all__ = ["NO_KINDS", "Kinds", "SegmentCounts", "ValuesOfSegments", "count_segments"]


@dataclass(frozen=True)
class Kinds:
    """Records that are alike in some columns are of one kind: one number, the larger the larger their codes."""

    names: tuple[str, ...]
    """The columns of codes; the first is the most significant."""
    n_values: tuple[int, ...]
    """How many values each may have."""

    def __len__(self) -> int:
        return prod(self.n_values)

    def of(self, rows: pl.DataFrame) -> np.ndarray:
        """Return the kind of each row."""
        kinds = np.zeros(rows.height, np.int64)
        for name, many in zip(self.names, self.n_values, strict=True):
            kinds = kinds * many + rows[name].to_numpy()
        return kinds

    def codes(self, kinds: np.ndarray) -> np.ndarray:
        """Return by kind and column the code."""
        codes = np.empty((len(kinds), len(self.names)), np.int64)
        for place in reversed(range(len(self.names))):
            kinds, codes[:, place] = np.divmod(kinds, self.n_values[place])
        return codes


NO_KINDS = Kinds((), ())
"""All records are of one kind."""


@dataclass(frozen=True)
class ValuesOfSegments:
    """One column: how many records of a segment have each value that occurs in it, segment by segment."""

    segments: np.ndarray
    values: np.ndarray
    """Ascending in each segment."""
    records: np.ndarray

    @classmethod
    def added(cls, segments: np.ndarray, values: np.ndarray, records: np.ndarray, n_values: int) -> Self:
        """Return the counts of entries, of which several may be of the same segment and value."""
        keys, place = np.unique(segments * n_values + values, return_inverse=True)
        counts = np.zeros(len(keys), np.int64)
        np.add.at(counts, place.ravel(), records)
        return cls(keys // n_values, keys % n_values, counts)


@dataclass(frozen=True)
class SegmentCounts:
    """The values of some segments, numbered from 0 on, in all columns."""

    n_segments: int
    columns: tuple[ValuesOfSegments, ...]
    n_values: tuple[int, ...]
    """By column, how many values it may have."""

    @property
    def sizes(self) -> np.ndarray:
        """How many records each segment has."""
        first = self.columns[0]
        return np.bincount(first.segments, first.records, minlength=self.n_segments).astype(np.int64)  # exact: < 2⁵³

    def into(self, numbers: np.ndarray, n_segments: int) -> "SegmentCounts":
        """Return the counts of segments made of these: segment i becomes part of ``numbers[i]``, or of none if −1."""
        columns = []
        for each, n_values in zip(self.columns, self.n_values, strict=True):
            own = numbers[each.segments]
            some = own >= 0
            columns.append(ValuesOfSegments.added(own[some], each.values[some], each.records[some], n_values))
        return SegmentCounts(n_segments, tuple(columns), self.n_values)

    def and_also(self, other: "SegmentCounts") -> "SegmentCounts":
        """Return the counts of these segments and, behind them, of others."""
        columns = [
            ValuesOfSegments(
                np.concatenate([mine.segments, theirs.segments + self.n_segments]),
                np.concatenate([mine.values, theirs.values]),
                np.concatenate([mine.records, theirs.records]),
            )
            for mine, theirs in zip(self.columns, other.columns, strict=True)
        ]
        return SegmentCounts(self.n_segments + other.n_segments, tuple(columns), self.n_values)


def count_segments(
    rows: Partitions,
    backend: Backend,
    tree: CutTree,
    leaves: np.ndarray,
    names: tuple[Sequence[str], Sequence[str]],
    n_values: tuple[int, ...],
    kinds: Kinds = NO_KINDS,
) -> SegmentCounts:
    """Count the values of some leaves of a tree, wherever its records are.

    ``names`` are the columns of codes of the quasi-identifiers, and of others that are counted too. Where there are
    kinds, what is counted as a value is a value and a kind: value × number of kinds + kind.
    """
    n_values = tuple(many * len(kinds) for many in n_values)
    numbers = np.full(len(tree.cuts), -1, np.int64)
    numbers[leaves] = np.arange(len(leaves))
    begins = np.concatenate([[0], np.cumsum(np.array(n_values, np.int64) * len(leaves))])
    counting = _CountSegments(
        backend.shared(tree.followed()), numbers, tuple(names[0]), tuple(names[1]), n_values, kinds
    )
    found = sums_by_key(rows.map_batches(counting, _ENTRIES), [_KEY], "counting values").sort(_KEY)
    keys, records = found[_KEY].to_numpy().astype(np.int64), found[_RECORDS].to_numpy().astype(np.int64)
    borders = np.searchsorted(keys, begins)
    columns = []
    for place, many in enumerate(n_values):
        here = slice(borders[place], borders[place + 1])
        own = keys[here] - begins[place]
        columns.append(ValuesOfSegments(own // many, own % many, records[here]))
    return SegmentCounts(len(leaves), tuple(columns), n_values)


_KEY, _RECORDS = "segment and value", "records"
_ENTRIES: Columns = {_KEY: pl.UInt64(), _RECORDS: pl.UInt64()}
_DENSE = 4
"""Values are counted in a table of all of them if it has at most this many cells for each row."""


@dataclass(frozen=True)
class _CountSegments:
    """Counts the values of a batch, column by column; a segment and a value together are one number."""

    followed: Shared[FollowCuts]
    numbers: np.ndarray
    """By leaf, its number among those that are counted; −1 for others."""
    names: tuple[str, ...]
    others: tuple[str, ...]
    n_values: tuple[int, ...]
    kinds: Kinds

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        own = self.numbers[self.followed.value(rows, self.names)]
        counted = np.flatnonzero(own >= 0)
        own, rows = own[counted], rows if len(counted) == rows.height else rows[counted]
        kinds, n_kinds = self.kinds.of(rows), len(self.kinds)
        n_segments, begin, keys, records = int(self.numbers.max()) + 1, 0, [], []
        for name, many in zip((*self.names, *self.others), self.n_values, strict=True):
            values = rows[name].to_numpy() if n_kinds == 1 else rows[name].to_numpy().astype(np.int64) * n_kinds + kinds
            found, counts = _counted(own * many + values, n_segments * many)
            keys.append(found + begin)
            records.append(counts)
            begin += n_segments * many
        entries = {_KEY: np.concatenate(keys), _RECORDS: np.concatenate(records)}
        return pl.DataFrame({name: pl.Series(each).cast(pl.UInt64) for name, each in entries.items()})


def _counted(keys: np.ndarray, n_keys: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the different keys below a number, ascending, and how often each occurs."""
    if n_keys > _DENSE * len(keys):
        return np.unique(keys, return_counts=True)
    counts = np.bincount(keys, minlength=n_keys)
    found = np.flatnonzero(counts)
    return found, counts[found]
