"""How the values of a column are told less and less exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
import polars as pl

from shoal.errors import HierarchyError

from .vocabulary import Vocabulary

__all__ = ["Hierarchy"]

ROOT = "*"

Tree = Mapping[str, "Tree | Sequence[str]"]


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """Levels of generalisation as code maps: level 0 is the value itself, the last level is one root.

    ``maps[i]`` gives, for each code of the column's vocabulary, the code of its generalisation in ``labels[i]``.
    Checked on building: one root, every value covered, and levels that nest (values told alike at one level are told
    alike at every higher one).
    """

    maps: tuple[np.ndarray, ...]
    labels: tuple[Vocabulary, ...]
    declared: "Hierarchy | None" = None
    """The hierarchy with all the leaves it was declared with, where the column does not have all of them."""

    def __post_init__(self) -> None:
        assert len(self.maps) == len(self.labels) >= 1
        if len(self.labels[-1]) != 1:
            raise HierarchyError(
                f"The top level of the hierarchy has {len(self.labels[-1])} values; it must have one root.",
                "Add a last level that is the same for every value, such as '*'.",
            )
        for level in range(1, len(self.maps)):
            below, above = self.maps[level - 1], self.maps[level]
            pairs = np.unique(np.stack([below, above]), axis=1)
            if pairs.shape[1] != len(np.unique(below)):
                raise HierarchyError(
                    f"Levels {level - 1} and {level} of the hierarchy do not nest: values that are told alike at "
                    f"level {level - 1} are told apart at level {level}.",
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
        """Mask codes from the right, one letter a level: ``4370 → 437* → 43** → 4*** → *``.

        Shorter values are first filled with ``*`` on the right, so that levels nest whatever the lengths.
        """
        text = vocabulary.values.cast(pl.String).fill_null("")
        width = max(int(text.str.len_chars().max() or 1), 1)  # type: ignore[arg-type]
        columns = [vocabulary.values]
        columns += [text.str.slice(0, width - hidden).str.pad_end(width, "*") for hidden in range(1, width)]
        return cls.from_columns([*columns, _roots(len(vocabulary))])

    @classmethod
    def from_intervals(cls, vocabulary: Vocabulary, widths: Sequence[float | Fraction]) -> Self:
        """Group numbers into half-open intervals of growing width, then all: ``17 → [15, 20) → [10, 20) → *``."""
        if not vocabulary.is_numeric:
            raise HierarchyError("Intervals need a column of numbers.", "Use a mask or a file for this column.")
        if not all(0 < width < float("inf") for width in widths):
            raise HierarchyError("The width of an interval must be positive and finite.")
        exact = [Fraction(str(width)) for width in widths]
        for narrow, wide in pairwise(exact):
            if wide <= narrow or wide % narrow != 0:
                raise HierarchyError(
                    "The widths of interval levels do not nest.", "Let each width be a multiple of the one before it."
                )
        levels = _intervals(vocabulary.values, exact)
        return cls.from_columns([vocabulary.values, *levels, _roots(len(vocabulary))])

    @classmethod
    def from_tree(cls, vocabulary: Vocabulary, tree: Tree) -> Self:
        """Build from nested categories whose leaves are values: ``{"Europe": ["France", "Spain"], …}``.

        Branches that are shorter than the longest one repeat their own label on the levels in between.
        """
        ways = _paths(tree)
        paths = {path[-1]: path[:-1] for path in ways}
        if len(paths) != len(ways):
            raise HierarchyError(
                f"The category tree has {len(ways) - len(paths)} leaves more than once.", "Put each value in one place."
            )
        text = vocabulary.values.cast(pl.String).to_list()
        missing = sum(value not in paths for value in text)
        if missing:
            raise HierarchyError(
                f"The category tree misses {missing} of the {len(text)} values of the column.", "Add them as leaves."
            )
        height = max((len(path) for path in paths.values()), default=0)
        rows = [_padded(path, leaf, height) for leaf, path in paths.items()]
        levels = [pl.Series([row[level] for row in rows], dtype=pl.String) for level in range(height)]
        leaves = pl.Series(list(paths), dtype=pl.String)
        return cls.from_columns([leaves, *levels, _roots(len(leaves))]).rebased(vocabulary)

    @classmethod
    def suggest(cls, vocabulary: Vocabulary) -> Self:
        """Give a plausible hierarchy for values of which nothing is declared.

        Numbers get round intervals, codes of one length get masks, anything else goes straight to the root.
        """
        if vocabulary.is_numeric and len(vocabulary) > 2:
            return cls.from_intervals(vocabulary, _round_widths(vocabulary.values))
        text = vocabulary.values.cast(pl.String).drop_nulls()
        lengths = text.str.len_chars().unique()
        if len(lengths) == 1 and 2 <= lengths[0] <= 12 and text.str.contains(r"\d").all():
            return cls.from_masks(vocabulary)
        return cls.from_columns([vocabulary.values, _roots(len(vocabulary))])

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
        """Give the same hierarchy over another vocabulary, each value of which must be covered.

        Leaves that are not in the vocabulary are still counted.
        """
        own = Vocabulary(self.labels[0].values.cast(pl.String))
        rows = own.codes(vocabulary.values.cast(pl.String))
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

    def generalised(self, codes: np.ndarray, level: int) -> np.ndarray:
        """Give the codes of values at a level."""
        return self.maps[level][codes]


def _roots(n: int) -> pl.Series:
    return pl.Series([ROOT] * n, dtype=pl.String)


def _intervals(numbers: pl.Series, widths: Sequence[Fraction]) -> list[pl.Series]:
    """Label each number with its half-open interval at each width; a missing number keeps a label of its own.

    In fractions, because with doubles 0.3 would come to lie in [0.2, 0.3).
    """
    if numbers.dtype.is_float() and not numbers.drop_nulls().is_finite().all():
        raise HierarchyError("Intervals need finite numbers.", "Leave missing values empty.")
    exact = [None if number is None else Fraction(str(number)) for number in numbers]
    return [pl.Series([_interval(number, width) for number in exact], dtype=pl.String) for width in widths]


def _interval(number: Fraction | None, width: Fraction) -> str:
    if number is None:
        return "missing"
    low = number // width * width
    return f"[{_plain(low)}, {_plain(low + width)})"


def _plain(number: Fraction) -> str:
    """Write a number without an exponent, exactly wherever a decimal can."""
    return str(number) if number.denominator == 1 else f"{Decimal(number.numerator) / Decimal(number.denominator):f}"


def _paths(tree: Tree | Sequence[str]) -> list[tuple[str, ...]]:
    """Give every way from the top to a leaf, top first."""
    if not isinstance(tree, Mapping):
        return [(str(leaf),) for leaf in tree]
    return [(str(name), *path) for name, branch in tree.items() for path in _paths(branch)]


def _padded(path: tuple[str, ...], value: str, height: int) -> list[str]:
    """Give the labels of a value from level 1 upwards, filled up to the height with its lowest label."""
    upwards = list(reversed(path))
    return [upwards[0] if upwards else value] * (height - len(upwards)) + upwards


def _round_widths(numbers: pl.Series) -> list[Fraction]:
    """Give three nesting interval widths that divide the range into about 20, 10 and 5 parts."""
    spread = float(numbers.max()) - float(numbers.min())  # type: ignore[arg-type]
    magnitude = Fraction(10) ** int(np.floor(np.log10(max(spread, 1e-9) / 20)))
    base = next(m * magnitude for m in (1, 2, 5, 10, 20) if m * magnitude >= spread / 20)
    return [base, 2 * base, 4 * base]
