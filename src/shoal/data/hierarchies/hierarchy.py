"""Generalization hierarchies: levels of ever more general labels for the values of a column."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal, Self

import numpy as np
import polars as pl

from shoal.data.same_values import same_values
from shoal.data.time_span import as_dates, date_levels
from shoal.data.vocabulary import Vocabulary, rebuilt
from shoal.data.written_label import ROOT
from shoal.errors import HierarchyError

from .category_levels import Tree, frequency_levels, mask_levels, refuse_many_levels, tree_levels
from .ordered_levels import interval_levels, quantile_levels, round_widths

__all__ = ["Hierarchy", "HierarchyKind", "likely_kind"]


HierarchyKind = Literal["interval", "quantile", "mask", "date", "frequency"]


def likely_kind(vocabulary: Vocabulary) -> HierarchyKind:
    """Return intervals for more than two numbers, dates for days, masks for codes of one length, else frequencies."""
    given = vocabulary.values.drop_nulls()
    if vocabulary.is_numeric and len(given) > 2:
        return "interval"
    if len(given) and as_dates(given) is not None:
        return "date"
    return "mask" if _are_codes(given.cast(pl.String)) else "frequency"


def _are_codes(words: pl.Series) -> bool:
    """Tell so of words of one length with a digit in each, in which nothing looks masked already."""
    lengths = words.str.len_chars().unique()
    return len(lengths) == 1 and 2 <= lengths[0] <= 12 and bool(words.str.contains(r"^[^*]*\d[^*]*$").all())


PARTS: Final = (16, 8, 4, 2)
"""Into how many intervals quantiles divide the records, level by level, unless said."""
SHARES: Final = (0.02, 0.05, 0.1, 0.25)
"""Which share of the records a label has at least where rare values are joined, level by level, unless said."""


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """Levels of generalization as code maps: level 0 is the value itself, the last level is one root.

    ``maps[i]`` has, for each code of the column's vocabulary, the code of its generalization in ``labels[i]``. Checked
    on building: one root, every value covered, and levels that nest (values with one label at one level have one alike
    at every higher one).
    """

    maps: tuple[np.ndarray, ...]
    labels: tuple[Vocabulary, ...]
    declared: "Hierarchy | None" = None
    """The hierarchy with all the leaves it was declared with, where the column does not have all of them."""

    def __post_init__(self) -> None:
        assert len(self.maps) == len(self.labels) >= 1
        refuse_many_levels(self.height)
        if len(self.labels[-1]) != 1:
            raise HierarchyError(
                f"The top level of the hierarchy has {len(self.labels[-1])} values; it must have one root.",
                "Add a last level that is the same for every value, such as '*'.",
            )
        for level in range(1, len(self.maps)):
            below, above = self.maps[level - 1], self.maps[level]
            parents = np.zeros(len(self.labels[level - 1]), above.dtype)
            parents[below] = above
            if not np.array_equal(parents[below], above):
                raise HierarchyError(
                    f"Levels {level - 1} and {level} of the hierarchy do not nest: values with one label at "
                    f"level {level - 1} have different labels at level {level}.",
                    "Make every label belong to exactly one label of the next level.",
                )

    @classmethod
    def from_columns(cls, columns: Sequence[pl.Series]) -> Self:
        """Build from one series a level, each with one entry a value; the first must be distinct."""
        if columns[0].n_unique() != len(columns[0]):
            raise HierarchyError("The hierarchy lists a value more than once.", "List each value on one line.")
        encoded = [Vocabulary.encode(column) for column in columns[1:]]
        maps = (np.arange(len(columns[0]), dtype=np.int32), *(codes for _, codes in encoded))
        return cls(maps, (Vocabulary(columns[0]), *(vocabulary for vocabulary, _ in encoded)))

    @classmethod
    def from_masks(cls, vocabulary: Vocabulary) -> Self:
        """Mask codes from the right, one letter a level: ``4370 → 437* → 43** → 4*** → *``."""
        return cls._from_levels(vocabulary, mask_levels(vocabulary))

    @classmethod
    def from_intervals(cls, vocabulary: Vocabulary, widths: Sequence[float | Fraction]) -> Self:
        """Group numbers into half-open intervals of growing width, then all: ``17 → [15, 20) → [10, 20) → *``."""
        return cls._from_levels(vocabulary, interval_levels(vocabulary.values, widths))

    @classmethod
    def from_quantiles(cls, vocabulary: Vocabulary, counts: np.ndarray, parts: Sequence[int] = PARTS) -> Self:
        """Group numbers or days into intervals of about as many records each, fewer and fewer of them, then all."""
        return cls._from_levels(vocabulary, quantile_levels(vocabulary, counts, parts))

    @classmethod
    def from_dates(cls, vocabulary: Vocabulary) -> Self:
        """Tell days by month, quarter, year and decade: ``2024-03-05 → 2024-03 → 2024-Q1 → 2024 → 2020s → *``."""
        return cls._from_levels(vocabulary, date_levels(vocabulary.values))

    @classmethod
    def from_frequencies(
        cls, vocabulary: Vocabulary, counts: np.ndarray, shares: Sequence[float | Fraction] = SHARES
    ) -> Self:
        """Join the rarest values first, until every label of a level has its share of the records, then all."""
        return cls._from_levels(vocabulary, frequency_levels(vocabulary, counts, shares))

    @classmethod
    def from_tree(cls, vocabulary: Vocabulary, tree: Tree) -> Self:
        """Build from nested categories whose leaves are values: ``{"Europe": ["France", "Spain"], …}``."""
        leaves, *levels = tree_levels(vocabulary.values, tree)
        return cls._from_levels(Vocabulary(leaves), levels).rebased(vocabulary)

    @classmethod
    def suggest(
        cls, vocabulary: Vocabulary, counts: np.ndarray | None = None, kind: HierarchyKind | None = None
    ) -> Self:
        """Return a plausible hierarchy for values of which nothing is declared, without levels that add nothing.

        The kind is the likely one unless it is named. Where it is not said how many records have each value, values
        count alike for quantiles, and for frequencies there is nothing between a value and the root.
        """
        kind = kind or likely_kind(vocabulary)
        if kind == "interval":
            return cls.from_intervals(vocabulary, round_widths(vocabulary.values)).without_idle_levels()
        if kind == "quantile":
            each = np.ones(len(vocabulary), np.int64)
            return cls.from_quantiles(vocabulary, each if counts is None else counts).without_idle_levels()
        if kind == "date":
            return cls.from_dates(vocabulary).without_idle_levels()
        if kind == "mask":
            return cls.from_masks(vocabulary).without_idle_levels()
        if counts is None:
            return cls._from_levels(vocabulary, [])
        return cls.from_frequencies(vocabulary, counts).without_idle_levels()

    @classmethod
    def _from_levels(cls, vocabulary: Vocabulary, between: Sequence[pl.Series]) -> Self:
        """Build from the levels between the values and the root."""
        root = pl.Series([ROOT] * len(vocabulary), dtype=pl.String)
        return cls.from_columns([vocabulary.values, *between, root])

    @property
    def n_values(self) -> int:
        """How many values level 0 has."""
        return len(self.maps[0])

    @property
    def height(self) -> int:
        """The number of the top level."""
        return len(self.maps) - 1

    @cached_property
    def leaves(self) -> tuple[np.ndarray, ...]:
        """By level and label, how many leaves are under it, those that the column does not have included."""
        whole = self.declared or self
        counts = [
            np.bincount(codes, minlength=len(names)) for codes, names in zip(whole.maps, whole.labels, strict=True)
        ]
        if self.declared is None:
            return tuple(counts)
        rows = [names.codes(own.values) for names, own in zip(whole.labels[1:], self.labels[1:], strict=True)]
        above = (count[places] for count, places in zip(counts[1:], rows, strict=True))
        return (np.ones(self.n_values, np.int64), *above)

    @property
    def n_leaves(self) -> int:
        """How many leaves there are, those that the column does not have included."""
        return int(self.leaves[-1][0])

    def __repr__(self) -> str:
        return f"Hierarchy(level sizes {' → '.join(str(len(labels)) for labels in self.labels)})"

    def rebased(self, vocabulary: Vocabulary, what: str = "the column") -> Self:
        """Return the same hierarchy over another vocabulary, each value of which must be covered.

        Leaves that are not in the vocabulary are still counted.
        """
        rows = self.places(vocabulary)
        missing = int(np.count_nonzero(rows < 0))
        if missing:
            raise HierarchyError(
                f"The hierarchy misses {missing} of the {len(vocabulary)} values of {what}.",
                "Add a line for every value that occurs.",
            )
        columns = [labels.take(codes[rows]) for labels, codes in zip(self.labels, self.maps, strict=True)]
        rebased = type(self).from_columns([vocabulary.values, *columns[1:]])
        whole = self.declared or self
        return replace(rebased, declared=whole if whole.n_values > rebased.n_values else None)

    def places(self, vocabulary: Vocabulary) -> np.ndarray:
        """Return the place of each value of another vocabulary among the values here; −1 where it is not covered.

        Values are the same if they are written the same or, where numbers or times are asked for, mean the same: 30
        and 30.0.
        """
        return same_values(self.labels[0], vocabulary)

    def without_idle_levels(self) -> Self:
        """Return the hierarchy without levels as specific as the one below them or as general as the root."""
        sizes = [len(np.unique(codes)) for codes in self.maps]
        kept = [0]
        for level in range(1, self.height):
            if 1 < sizes[level] < sizes[kept[-1]]:
                kept.append(level)
        kept += [self.height] if self.height else []
        return self.with_levels(kept)

    def with_levels(self, kept: Sequence[int]) -> Self:
        """Return the same hierarchy with some of its levels alone, the values and the root among them."""
        declared = None if self.declared is None else self.declared.with_levels(kept)
        return replace(
            self,
            maps=tuple(self.maps[level] for level in kept),
            labels=tuple(self.labels[level] for level in kept),
            declared=declared,
        )

    def select(self, codes: np.ndarray) -> Self:
        """Return the hierarchy of these distinct values alone, in this order, with as many levels."""
        columns = zip(self.labels, self.maps, strict=True)
        return type(self).from_columns([rebuilt(labels.take(published[codes])) for labels, published in columns])

    def generalized(self, codes: np.ndarray, level: int) -> np.ndarray:
        """Return the codes of values at a level."""
        return self.maps[level][codes]
