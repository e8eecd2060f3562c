"""Cuts along one quasi-identifier: how wide a set of records is on it, how to cut the set, and how to label it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.node_loss import leaf_costs
from shoal.anonymizers.generalization.value_ranges import first_value, range_labels, value_ranges
from shoal.data import Column, Vocabulary
from shoal.kernels.groups.segments import common_levels, cut_at_middle, cut_by_level

__all__ = ["Attribute", "Segments", "attribute"]

_FARTHEST: Final = 3
"""How many of the lowest, and of the highest, values of a segment are tried as those that widen its label."""


@dataclass(frozen=True, eq=False)
class Segments:
    """A partition of the records: segment s is ``order[begins[s]:begins[s + 1]]``."""

    order: np.ndarray
    begins: np.ndarray

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def sizes(self) -> np.ndarray:
        """The number of records of each segment."""
        return np.diff(self.begins)

    def only(self, chosen: np.ndarray, leaving: np.ndarray | None = None) -> Self:
        """Return the chosen segments only, without the places of the mask ``leaving``; no segment may become empty."""
        places = self.places(chosen)
        owners = np.repeat(np.arange(len(chosen)), self.sizes[chosen])
        if leaving is not None:
            staying = ~leaving[places]
            places, owners = places[staying], owners[staying]
        begins = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=len(chosen)))])
        return type(self)(self.order[places], begins)

    def places(self, chosen: np.ndarray) -> np.ndarray:
        """Return the indices into ``order`` of the chosen segments, one segment after the other."""
        sizes = np.diff(self.begins)[chosen]
        firsts = np.cumsum(sizes) - sizes
        return np.repeat(self.begins[chosen] - firsts, sizes) + np.arange(int(sizes.sum()))


class Attribute(ABC):
    """One quasi-identifier."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self._codes = column.codes

    def moved(self, rows: np.ndarray) -> Self:
        """Return the attribute of the same records in another order, for cutting alone; rows of a group stay near."""
        other = copy(self)
        other._codes = self._codes[rows]  # noqa: SLF001
        return other

    @abstractmethod
    def extents(self, segments: Segments, chosen: np.ndarray | None = None) -> np.ndarray:
        """Return, for each chosen segment or for all, the numbers that identify the narrowest label that covers it."""

    @abstractmethod
    def widths(self, extents: np.ndarray) -> np.ndarray:
        """Return the share of the whole domain that these extents cover: 0 for a single value, at most 1."""

    @abstractmethod
    def cut(
        self, segments: Segments, chosen: np.ndarray, extents: np.ndarray, part: np.ndarray, *, split_ties: bool
    ) -> None:
        """Write, for each place of the chosen segments, which have these extents, the part it would go to."""

    def widened(self, extents: np.ndarray) -> np.ndarray:
        """Return wider extents, whose ends need not occur among the records they label."""
        return extents

    @abstractmethod
    def losses(self, extents: np.ndarray) -> np.ndarray:
        """Return the share of the other values that the labels of these extents cover too."""

    @abstractmethod
    def fringes(self, segments: Segments) -> Iterator[np.ndarray]:
        """Yield masks of places: those without which the label of their segment would be narrower."""

    @abstractmethod
    def recoded(self, segments: Segments, extents: np.ndarray) -> Column:
        """Return the column with one label per segment, that of its extents."""


def attribute(column: Column, *, by_hierarchy: bool) -> Attribute:
    """Choose how a column is cut: along its hierarchy, or by the order of its values."""
    if column.hierarchy is not None and by_hierarchy:
        return _Hierarchical(column)
    return _Ordered(column)


class _Ordered(Attribute):
    """Values in their order, cut in two at the middle; a segment is labeled by its range.

    Only values that occur are numbered, so that no label contains another value. A missing value is cut off as the
    lowest, but is no end of a range: the label is the range of the values present, and says whether one is missing.
    Extents are the lowest value, the highest, and 1 where one is missing as well.
    """

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        used = column.counts > 0
        self._vocabulary = column.vocabulary if used.all() else column.vocabulary.select(np.flatnonzero(used))
        self._codes = column.codes if used.all() else (np.cumsum(used) - 1).astype(np.int32)[column.codes]
        if self._vocabulary.is_ordered:
            numbers = self._vocabulary.values.to_physical().cast(pl.Float64)
            positions = numbers.fill_null(strategy="backward").fill_null(0.0).to_numpy()
        else:
            positions = np.arange(len(self._vocabulary), dtype=np.float64)
        self._positions = positions
        self._words = self._vocabulary.words.to_list()
        self._first = first_value(self._words)
        """The first value that is not missing."""

    def widths(self, extents: np.ndarray) -> np.ndarray:
        low, high, missing = extents.T
        span = float(self._positions.max() - self._positions.min()) or 1.0
        spans = (self._positions[high] - self._positions[low]) / span
        if not self._vocabulary.is_ordered:
            return spans + missing / span
        # a missing value has no position among numbers, yet can be cut off from them
        return np.where(((high > low) | (missing > 0)) & (spans == 0.0), 1e-12, spans)

    def cut(
        self,
        segments: Segments,
        chosen: np.ndarray,
        extents: np.ndarray,  # noqa: ARG002
        part: np.ndarray,
        *,
        split_ties: bool,
    ) -> None:
        cut_at_middle(segments.order, segments.begins, chosen, self._codes, split_ties, part)

    def extents(self, segments: Segments, chosen: np.ndarray | None = None) -> np.ndarray:
        some = np.arange(len(segments)) if chosen is None else chosen
        return np.stack(value_ranges(segments.order, segments.begins, some, self._codes, self._first), axis=1)

    def widened(self, extents: np.ndarray) -> np.ndarray:
        """Round the ends of ranges outward, to blocks of 1, 2, 4, … values that are at most half as wide as the range.

        A missing value stays missing: it is no end of a range of values.
        """
        first = self._first
        low, high = extents[:, 0].astype(np.int64), extents[:, 1].astype(np.int64)
        block = 2 ** np.floor(np.log2(np.maximum((high - low + 1) / 2, 1))).astype(np.int64)
        lowest = first + (low - first) // block * block
        highest = np.minimum(first + (high - first) // block * block + block - 1, len(self._words) - 1)
        missing = high < first
        return np.stack([np.where(missing, 0, lowest), np.where(missing, 0, highest), extents[:, 2]], axis=1)

    def losses(self, extents: np.ndarray) -> np.ndarray:
        return (extents[:, 1] - extents[:, 0] + extents[:, 2]) / max(len(self._words) - 1, 1)

    def fringes(self, segments: Segments) -> Iterator[np.ndarray]:
        own = np.repeat(np.arange(len(segments)), np.diff(segments.begins))
        codes = self._codes[segments.order].astype(np.int64)
        there = codes >= self._first
        if not there.all():
            yield ~there
        for toward in (codes, -codes):
            beyond = np.zeros(len(codes), bool)
            for _ in range(_FARTHEST):
                least = np.minimum.reduceat(np.where(beyond | ~there, len(self._words), toward), segments.begins[:-1])
                beyond = beyond | (there & (toward <= least[own]))
                yield beyond

    def recoded(self, segments: Segments, extents: np.ndarray) -> Column:
        if (extents[:, 0] == extents[:, 1]).all() and not extents[:, 2].any():
            return self.column
        labels, codes = range_labels(self._words, extents, ordered=self._vocabulary.is_ordered)
        return _relabeled(self.column, labels, codes, segments)


class _Hierarchical(Attribute):
    """Values in a hierarchy, cut into the branches of the lowest node that covers them, and labeled by that node."""

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        assert column.hierarchy is not None
        self._hierarchy = column.hierarchy
        self._maps = np.stack(column.hierarchy.maps).astype(np.int32)
        leaves = [np.bincount(codes, minlength=len(column.vocabulary)) for codes in column.hierarchy.maps]
        self._leaves = np.stack([counts[: len(column.vocabulary)] for counts in leaves])

    def extents(self, segments: Segments, chosen: np.ndarray | None = None) -> np.ndarray:
        some = np.arange(len(segments)) if chosen is None else chosen
        levels = common_levels(segments.order, segments.begins, some, self._codes, self._maps)
        firsts = self._codes[segments.order[segments.begins[some]]]
        return np.stack([levels, self._maps[levels, firsts]], axis=1)

    def widths(self, extents: np.ndarray) -> np.ndarray:
        levels, nodes = extents.T
        share = (self._leaves[levels, nodes] - 1) / max(len(self.column.vocabulary) - 1, 1)
        return np.where(levels == 0, 0.0, share)

    def cut(
        self,
        segments: Segments,
        chosen: np.ndarray,
        extents: np.ndarray,
        part: np.ndarray,
        *,
        split_ties: bool,  # noqa: ARG002
    ) -> None:
        below = extents[:, 0] - 1
        cut_by_level(segments.order, segments.begins, chosen, self._codes, self._maps, below, part)

    def losses(self, extents: np.ndarray) -> np.ndarray:
        costs = leaf_costs(self._hierarchy)
        firsts = np.cumsum([0, *(len(each) for each in costs[:-1])])
        return np.concatenate(costs)[firsts[extents[:, 0]] + extents[:, 1]]

    def fringes(self, segments: Segments) -> Iterator[np.ndarray]:
        own = np.repeat(np.arange(len(segments)), np.diff(segments.begins))
        below = np.maximum(self.extents(segments)[:, 0] - 1, 0)
        many = int(self._maps.max()) + 1
        branches = own * many + self._maps[below[own], self._codes[segments.order]]
        found, of_each, counts = np.unique(branches, return_inverse=True, return_counts=True)
        owners = found // many
        order = np.lexsort([-counts, owners])
        largest = order[np.searchsorted(owners[order], np.arange(len(segments)))]
        yield of_each.ravel() != largest[own]

    def recoded(self, segments: Segments, extents: np.ndarray) -> Column:
        if (extents[:, 0] == 0).all():
            return self.column
        many = int(self._maps.max()) + 1
        pairs, place = np.unique(extents[:, 0] * many + extents[:, 1], return_inverse=True)
        words = [labels.words for labels in self._hierarchy.labels]
        text = [words[pair // many][pair % many] for pair in pairs.tolist()]
        labels, codes = Vocabulary.encode(pl.Series(text, dtype=pl.String))
        return _relabeled(self.column, labels, codes[place.ravel()], segments)


def _relabeled(column: Column, labels: Vocabulary, by_segment: np.ndarray, segments: Segments) -> Column:
    codes = np.empty(len(column), np.int32)
    codes[segments.order] = np.repeat(by_segment, np.diff(segments.begins))
    return column.recoded(labels, codes)
