"""A quasi-identifier as Mondrian sees it: how wide a set of records is on it, how to cut the set, what to call it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import Column, Vocabulary
from shoal.data.written_label import range_label
from shoal.kernels.segments import common_levels, cut_at_middle, cut_by_level, segment_ranges

__all__ = ["Attribute", "Segments", "attribute"]


@dataclass(frozen=True, eq=False)
class Segments:
    """A partition of the records under way: segment s is ``order[begins[s]:begins[s + 1]]``."""

    order: np.ndarray
    begins: np.ndarray

    def __len__(self) -> int:
        return len(self.begins) - 1

    def places(self, chosen: np.ndarray) -> np.ndarray:
        """Return the places in the order that the chosen segments take up, one segment after the other."""
        sizes = np.diff(self.begins)[chosen]
        firsts = np.cumsum(sizes) - sizes
        return np.repeat(self.begins[chosen] - firsts, sizes) + np.arange(int(sizes.sum()))


class Attribute(ABC):
    """One quasi-identifier."""

    def __init__(self, column: Column) -> None:
        self.column = column

    @abstractmethod
    def widths(self, segments: Segments, chosen: np.ndarray) -> np.ndarray:
        """Give the share of the whole domain that each chosen segment covers: 0 for a single value, at most 1."""

    @abstractmethod
    def cut(self, segments: Segments, chosen: np.ndarray, part: np.ndarray, *, split_ties: bool) -> None:
        """Write, for each place of the chosen segments, the part it would go to."""

    @abstractmethod
    def recoded(self, segments: Segments) -> Column:
        """Give the column with one label a segment."""


def attribute(column: Column, *, by_hierarchy: bool) -> Attribute:
    """Choose how a column is cut: along its hierarchy, or by the order of its values."""
    if column.hierarchy is not None and by_hierarchy:
        return _Hierarchical(column)
    return _Ordered(column)


class _Ordered(Attribute):
    """Values in their order, cut in two at the middle; a segment is called by its range."""

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        vocabulary = column.vocabulary
        if vocabulary.is_ordered:
            numbers = vocabulary.values.to_physical().cast(pl.Float64)
            positions = numbers.fill_null(strategy="backward").fill_null(0.0).to_numpy()
        else:
            positions = np.arange(len(vocabulary), dtype=np.float64)
        self._positions = positions
        self._words = vocabulary.words.to_list()

    def widths(self, segments: Segments, chosen: np.ndarray) -> np.ndarray:
        low, high = segment_ranges(segments.order, segments.begins, chosen, self.column.codes)
        span = float(self._positions.max() - self._positions.min()) or 1.0
        spans = (self._positions[high] - self._positions[low]) / span
        # a missing value shares the position of the smallest number, yet can be told from it
        return np.where((high > low) & (spans == 0.0), 1e-12, spans)

    def cut(self, segments: Segments, chosen: np.ndarray, part: np.ndarray, *, split_ties: bool) -> None:
        cut_at_middle(segments.order, segments.begins, chosen, self.column.codes, split_ties, part)

    def recoded(self, segments: Segments) -> Column:
        low, high = segment_ranges(segments.order, segments.begins, np.arange(len(segments)), self.column.codes)
        if (low == high).all():
            return self.column
        vocabulary = self.column.vocabulary
        ranges, place = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
        text = [range_label(self._words, int(a), int(b), ordered=vocabulary.is_ordered) for a, b in ranges]
        labels, codes = Vocabulary.encode(pl.Series(text, dtype=pl.String))
        assert len(vocabulary) >= 2
        return _spread(self.column, labels, codes[place.ravel()], segments)


class _Hierarchical(Attribute):
    """Values in a hierarchy, cut into the branches of the lowest node that covers them all, and called by that node."""

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        assert column.hierarchy is not None
        self._hierarchy = column.hierarchy
        self._maps = np.stack(column.hierarchy.maps).astype(np.int32)
        leaves = [np.bincount(codes, minlength=len(column.vocabulary)) for codes in column.hierarchy.maps]
        self._leaves = np.stack([counts[: len(column.vocabulary)] for counts in leaves])

    def _levels(self, segments: Segments, chosen: np.ndarray) -> np.ndarray:
        return common_levels(segments.order, segments.begins, chosen, self.column.codes, self._maps)

    def _nodes(self, segments: Segments, chosen: np.ndarray, levels: np.ndarray) -> np.ndarray:
        firsts = self.column.codes[segments.order[segments.begins[chosen]]]
        return self._maps[levels, firsts]

    def widths(self, segments: Segments, chosen: np.ndarray) -> np.ndarray:
        levels = self._levels(segments, chosen)
        covered = self._leaves[levels, self._nodes(segments, chosen, levels)]
        share = (covered - 1) / max(len(self.column.vocabulary) - 1, 1)
        return np.where(levels == 0, 0.0, share)

    def cut(self, segments: Segments, chosen: np.ndarray, part: np.ndarray, *, split_ties: bool) -> None:  # noqa: ARG002
        below = self._levels(segments, chosen) - 1
        cut_by_level(segments.order, segments.begins, chosen, self.column.codes, self._maps, below, part)

    def recoded(self, segments: Segments) -> Column:
        everyone = np.arange(len(segments))
        levels = self._levels(segments, everyone)
        if (levels == 0).all():
            return self.column
        nodes = self._nodes(segments, everyone, levels)
        pairs, place = np.unique(np.stack([levels, nodes], axis=1), axis=0, return_inverse=True)
        words = [labels.words for labels in self._hierarchy.labels]
        text = [words[level][int(node)] for level, node in pairs]
        labels, codes = Vocabulary.encode(pl.Series(text, dtype=pl.String))
        return _spread(self.column, labels, codes[place.ravel()], segments)


def _spread(column: Column, labels: Vocabulary, by_segment: np.ndarray, segments: Segments) -> Column:
    codes = np.empty(len(column), np.int32)
    codes[segments.order] = np.repeat(by_segment, np.diff(segments.begins))
    return column.recoded(labels, codes)
