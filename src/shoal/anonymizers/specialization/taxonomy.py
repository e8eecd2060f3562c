"""Labels of one quasi-identifier, from one for all values down to the values themselves.

A label stands for the values that occur under it, and is the lowest that covers them: where only one label below
another occurs, that one is published, which distinguishes nobody. So every step down parts records.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.node_loss import leaf_costs
from shoal.data import Column, Hierarchy, Vocabulary
from shoal.data.written_label import ROOT, range_label

from .gain import Gain

__all__ = ["HierarchyTaxonomy", "Label", "RangeTaxonomy", "Taxonomy"]


@dataclass(frozen=True, eq=False)
class Label:
    """A label of a cut."""

    values: np.ndarray
    """The codes of the values that occur under it, in the order of the taxonomy."""
    cost: float
    """The share of the other values of the column that it stands for as well."""
    level: int = 0
    """Its level in a hierarchy."""


class Taxonomy(ABC):
    """What labels there are for the values of a column, and what is below each."""

    def __init__(self, column: Column) -> None:
        self.column = column

    @property
    @abstractmethod
    def root(self) -> Label:
        """The label of all values that occur."""

    @abstractmethod
    def below(self, label: Label, rows: np.ndarray, gain: Gain) -> list[Label]:
        """Return the labels into which a label is specialized; none where it stands for one value.

        ``rows`` are the records under it; where there is a choice, it is the one of the most ``gain``.
        """

    @abstractmethod
    def texts(self, cut: Sequence[Label]) -> list[str | None]:
        """Return the labels of a cut as they are published."""

    def published(self, cut: Sequence[Label]) -> Column:
        """Return the column with the labels of a cut."""
        if all(len(label.values) == 1 and label.level == 0 for label in cut):
            return self.column.recoded(self.column.vocabulary, self.column.codes)
        vocabulary, codes = Vocabulary.encode(pl.Series(self.texts(cut), dtype=pl.String))
        by_value = np.zeros(len(self.column.vocabulary), np.int32)
        for label, code in zip(cut, codes, strict=True):
            by_value[label.values] = code
        return self.column.recoded(vocabulary, by_value[self.column.codes])


class HierarchyTaxonomy(Taxonomy):
    """The labels of a hierarchy."""

    def __init__(self, column: Column, hierarchy: Hierarchy) -> None:
        super().__init__(column)
        self._hierarchy, self._costs = hierarchy, leaf_costs(hierarchy)

    @property
    def root(self) -> Label:
        """The lowest label that covers all values that occur."""
        return self._label(np.unique(self.column.codes))

    def below(self, label: Label, rows: np.ndarray, gain: Gain) -> list[Label]:  # noqa: ARG002
        """Return the labels of the next lower level, those of the lowest values first."""
        if not label.level:
            return []
        codes = self._hierarchy.maps[label.level - 1][label.values]
        _, firsts = np.unique(codes, return_index=True)
        return [self._label(label.values[codes == codes[first]]) for first in np.sort(firsts)]

    def texts(self, cut: Sequence[Label]) -> list[str | None]:
        """Return the words of the hierarchy."""
        words = [labels.words for labels in self._hierarchy.labels]
        return [words[label.level][self._code(label.values, label.level)] for label in cut]

    def _label(self, values: np.ndarray) -> Label:
        maps = self._hierarchy.maps
        level = next(level for level, codes in enumerate(maps) if (codes[values] == codes[values[0]]).all())
        return Label(values, float(self._costs[level][self._code(values, level)]), level)

    def _code(self, values: np.ndarray, level: int) -> int:
        return int(self._hierarchy.maps[level][values[0]])


class RangeTaxonomy(Taxonomy):
    """Ranges of numbers or dates, each split in two where that gains most. A missing value comes before all others."""

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        ranks = column.rank_of
        assert ranks is not None, "the values have an order"
        occurring = np.unique(column.codes)
        self._ranks, self._values = ranks, occurring[np.argsort(ranks[occurring])]

    @property
    def root(self) -> Label:
        """The range of all values."""
        return self._label(self._values)

    def below(self, label: Label, rows: np.ndarray, gain: Gain) -> list[Label]:
        """Return two ranges."""
        if len(label.values) == 1:
            return []
        places = np.searchsorted(self._ranks[label.values], self._ranks[self.column.codes[rows]])
        cut = gain.best_cut(rows, places, len(label.values))
        return [self._label(label.values[:cut]), self._label(label.values[cut:])]

    def texts(self, cut: Sequence[Label]) -> list[str | None]:
        """Return the lowest and the highest value of each range; all values together are the root."""
        words = self.column.vocabulary.words.gather(np.argsort(self._ranks)).to_list()
        return [self._text(words, self._ranks[label.values]) for label in cut]

    def _label(self, values: np.ndarray) -> Label:
        return Label(values, (len(values) - 1) / max(len(self._values) - 1, 1))

    def _text(self, words: list[str | None], ranks: np.ndarray) -> str | None:
        if len(ranks) == 1:
            return words[ranks[0]]
        if len(ranks) == len(self._values):
            return ROOT
        missing = words[ranks[0]] is None
        return range_label(words, int(ranks[int(missing)]), int(ranks[-1]), ordered=True, missing=missing)
