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
from shoal.data import Column, Hierarchy, Vocabulary
from shoal.kernels.groups.segments import common_levels, cut_at_middle, cut_by_level

__all__ = ["Attribute", "CutRules", "Segments", "attribute"]

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


@dataclass(frozen=True, eq=False)
class CutRules:
    """How values decide the part of a record, for several cuts along one quasi-identifier.

    Values are numbered, and so are the nodes of each level of a hierarchy. Along an order, part 0 has the values up to
    ``at``. Along a hierarchy, the nodes of the level ``at`` are divided among the parts; one that is not listed, such
    as one that does not occur, is in the last part.
    """

    at: np.ndarray
    """For each cut, the highest value of part 0, or the level."""
    nodes: np.ndarray
    """Lines of three numbers: the cut, a node of its level, and its part."""


class Attribute(ABC):
    """One quasi-identifier."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self._codes = column.codes

    @property
    def codes(self) -> np.ndarray:
        """For each record, the number of its value."""
        return self._codes

    @property
    @abstractmethod
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy along which it is cut; None where it is cut by the order of its values."""

    @property
    @abstractmethod
    def vocabulary(self) -> Vocabulary:
        """The values that are numbered."""

    @property
    @abstractmethod
    def height(self) -> int:
        """How many steps there are from a value to all of them."""

    @abstractmethod
    def levels(self, extents: np.ndarray) -> np.ndarray:
        """Return how many of these steps up the labels of extents are.

        Along a hierarchy steps are its levels. Along an order every step doubles a range: a range of w of m values is
        ⌈log₂ w⌉ of ⌈log₂ m⌉ steps up. Values count that records have, or those of :meth:`with_steps_among`.
        """

    def with_steps_among(self, rows: np.ndarray) -> Self:  # noqa: ARG002
        """Return the attribute with steps from the values of the records of the mask ``rows`` alone."""
        return self

    @abstractmethod
    def covers(self, extents: np.ndarray, begins: np.ndarray) -> np.ndarray:
        """Return the narrowest extents that cover each run of extents, from one begin to the next; no run is empty."""

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

    @abstractmethod
    def cut_values(
        self, segments: Segments, chosen: np.ndarray, extents: np.ndarray, records: np.ndarray
    ) -> np.ndarray:
        """Return the part of each place of the chosen segments, if each place is a value that many records have.

        The values of a segment are ascending, and ``records`` has the number of records of each place.
        """

    @abstractmethod
    def rules(self, segments: Segments, chosen: np.ndarray, extents: np.ndarray, part: np.ndarray) -> "CutRules":
        """Return by which values the chosen segments, which have these extents, are cut into the parts of ``part``."""

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
    def labels(self, extents: np.ndarray) -> tuple[Vocabulary, np.ndarray]:
        """Return the labels, and the label of each of these extents, which are all that there are in a table."""

    def recoded(self, segments: Segments, extents: np.ndarray) -> Column:
        """Return the column with one label per segment, that of its extents."""
        labels, by_segment = self.labels(extents)
        if labels is self.column.vocabulary:
            return self.column
        codes = np.empty(len(self.column), np.int32)
        codes[segments.order] = np.repeat(by_segment, np.diff(segments.begins))
        return self.column.recoded(labels, codes)


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
        self._below = np.arange(len(self._words) + 1)
        """How many of the values that steps are counted in lie below each value, and below the end."""

    @property
    def hierarchy(self) -> None:
        return None

    @property
    def vocabulary(self) -> Vocabulary:
        return self._vocabulary

    @property
    def height(self) -> int:
        return (int(self._below[-1]) - 1).bit_length()

    def levels(self, extents: np.ndarray) -> np.ndarray:
        widths = self._below[extents[:, 1] + 1] - self._below[extents[:, 0]] + extents[:, 2]
        return np.searchsorted(2 ** np.arange(self.height), widths)

    def with_steps_among(self, rows: np.ndarray) -> Self:
        other, occurs = copy(self), np.bincount(self._codes[rows], minlength=len(self._words)) > 0
        other._below = np.concatenate([[0], np.cumsum(occurs)])  # noqa: SLF001
        return other

    def covers(self, extents: np.ndarray, begins: np.ndarray) -> np.ndarray:
        there = extents[:, 1] >= self._first  # else the missing value is all there is
        low = np.minimum.reduceat(np.where(there, extents[:, 0], len(self._words)), begins)
        high = np.maximum.reduceat(np.where(there, extents[:, 1], -1), begins)
        missing = np.maximum.reduceat(np.where(there, extents[:, 2], 1), begins)
        alone = high < 0
        return np.stack([np.where(alone, 0, low), np.where(alone, 0, high), np.where(alone, 0, missing)], axis=1)

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

    def cut_values(
        self,
        segments: Segments,
        chosen: np.ndarray,
        extents: np.ndarray,  # noqa: ARG002
        records: np.ndarray,
    ) -> np.ndarray:
        parts = [np.zeros(0, np.int64)]
        for segment in chosen.tolist():
            below = np.cumsum(records[segments.begins[segment] : segments.begins[segment + 1]])
            middle = int(np.argmin(np.abs(below[-1] - 2 * below[:-1])))  # of two equally near, the lower
            parts.append((np.arange(len(below)) > middle).astype(np.int64))
        return np.concatenate(parts)

    def extents(self, segments: Segments, chosen: np.ndarray | None = None) -> np.ndarray:
        some = np.arange(len(segments)) if chosen is None else chosen
        return np.stack(value_ranges(segments.order, segments.begins, some, self._codes, self._first), axis=1)

    def rules(self, segments: Segments, chosen: np.ndarray, extents: np.ndarray, part: np.ndarray) -> CutRules:  # noqa: ARG002
        some = segments.only(chosen)
        low = part[segments.places(chosen)] == 0
        at = np.maximum.reduceat(np.where(low, self._codes[some.order], -1), some.begins[:-1])
        return CutRules(at.astype(np.int64), np.zeros((0, 3), np.int64))

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

    def labels(self, extents: np.ndarray) -> tuple[Vocabulary, np.ndarray]:
        if (extents[:, 0] == extents[:, 1]).all() and not extents[:, 2].any():
            return self.column.vocabulary, np.flatnonzero(self.column.counts)[extents[:, 0]]
        return range_labels(self._words, extents, ordered=self._vocabulary.is_ordered)


class _Hierarchical(Attribute):
    """Values in a hierarchy, cut into the branches of the lowest node that covers them, and labeled by that node."""

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        assert column.hierarchy is not None
        self._hierarchy = column.hierarchy
        self._maps = np.stack(column.hierarchy.maps).astype(np.int32)
        leaves = [np.bincount(codes, minlength=len(column.vocabulary)) for codes in column.hierarchy.maps]
        self._leaves = np.stack([counts[: len(column.vocabulary)] for counts in leaves])
        self._covered = np.zeros((len(self._maps), int(self._maps.max()) + 1), np.int64)
        """For each level and each of its nodes, a value that it covers."""
        np.put_along_axis(self._covered, self._maps, np.arange(len(column.vocabulary))[np.newaxis], axis=1)

    @property
    def hierarchy(self) -> Hierarchy:
        return self._hierarchy

    @property
    def vocabulary(self) -> Vocabulary:
        return self.column.vocabulary

    @property
    def height(self) -> int:
        return self._hierarchy.height

    def levels(self, extents: np.ndarray) -> np.ndarray:
        return extents[:, 0]

    def covers(self, extents: np.ndarray, begins: np.ndarray) -> np.ndarray:
        values = self._covered[extents[:, 0], extents[:, 1]]
        least = np.maximum.reduceat(extents[:, 0], begins)
        found = np.full(len(begins), -1, np.int64)
        for level in range(self.height + 1):
            nodes = self._maps[level, values]
            alike = np.minimum.reduceat(nodes, begins) == np.maximum.reduceat(nodes, begins)
            found[(found < 0) & alike & (level >= least)] = level
        return np.stack([found, self._maps[found, values[begins]]], axis=1)

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

    def cut_values(
        self,
        segments: Segments,
        chosen: np.ndarray,
        extents: np.ndarray,
        records: np.ndarray,  # noqa: ARG002
    ) -> np.ndarray:
        some = segments.only(chosen)
        part = np.zeros(len(some.order), np.int64)
        self.cut(some, np.arange(len(some)), extents, part, split_ties=False)
        return part

    def rules(self, segments: Segments, chosen: np.ndarray, extents: np.ndarray, part: np.ndarray) -> CutRules:
        some, levels = segments.only(chosen), extents[:, 0] - 1
        cuts = np.repeat(np.arange(len(some)), some.sizes)
        nodes = self._maps[levels[cuts], self._codes[some.order]]
        lines = np.unique(np.stack([cuts, nodes, part[segments.places(chosen)]], axis=1).astype(np.int64), axis=0)
        last = np.zeros(len(some), np.int64)
        np.maximum.at(last, lines[:, 0], lines[:, 2])
        return CutRules(levels.astype(np.int64), lines[lines[:, 2] < last[lines[:, 0]]])

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

    def labels(self, extents: np.ndarray) -> tuple[Vocabulary, np.ndarray]:
        if (extents[:, 0] == 0).all():
            return self.column.vocabulary, extents[:, 1]
        many = int(self._maps.max()) + 1
        pairs, place = np.unique(extents[:, 0] * many + extents[:, 1], return_inverse=True)
        words = [labels.words for labels in self._hierarchy.labels]
        text = [words[pair // many][pair % many] for pair in pairs.tolist()]
        labels, codes = Vocabulary.encode(pl.Series(text, dtype=pl.String))
        return labels, codes[place.ravel()]
