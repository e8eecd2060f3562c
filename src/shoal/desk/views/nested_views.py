"""The nested views that are cut from one tree: one for every degree of anonymization.

The view at a place cuts every group that ranks at least as high as the place says. A part never ranks higher than the
whole, so views are nested; and the degree of a view, the mean over its records, never falls from place to place.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Generic, TypeVar

import numpy as np

from shoal.data import Microdata

from .group_tree import GroupTree

__all__ = ["NestedViews"]

Tree = TypeVar("Tree", bound=GroupTree, covariant=True)


class NestedViews(ABC, Generic[Tree]):
    """A tree, and a table whose records are in its groups."""

    def __init__(self, tree: Tree, table: Microdata, identifier: str | None) -> None:
        """Prepare views of a table in which people are known again by the identifier."""
        self._tree, self.table, self.identifier = tree, table, identifier

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self._tree

    @abstractmethod
    def _smallest_groups(self) -> np.ndarray: ...

    @abstractmethod
    def _ranked(self) -> tuple[list[Fraction], np.ndarray]: ...

    @cached_property
    def smallest(self) -> np.ndarray:
        """For each record, its group where everything is cut."""
        return self._smallest_groups()

    @cached_property
    def ranked(self) -> tuple[list[Fraction], np.ndarray]:
        """The degrees of anonymization by rank, which never fall, and the rank of each group."""
        return self._ranked()

    @cached_property
    def is_shown(self) -> np.ndarray:
        """For each record, whether it is not withheld."""
        shown = np.ones(len(self.table), bool)
        shown[self.tree.withheld] = False
        return shown

    @cached_property
    def sizes(self) -> np.ndarray:
        """For each group, the number of its records that are not withheld."""
        return self.tree.summed(np.bincount(self.smallest[self.is_shown], minlength=len(self.tree)))

    def groups(self, cuts: np.ndarray) -> np.ndarray:
        """Return for each record its group in a view, or the one that it would be in if it were not withheld."""
        return self.tree.shown(cuts)[self.smallest]

    def __len__(self) -> int:
        """Return the number of places: of the finest view, and of coarser ones up to one of a single group."""
        return len(self._thresholds) + 1

    def cuts(self, place: int) -> np.ndarray:
        """Return the view at a place, 0 being the finest."""
        degrees, ranks = self.ranked
        least = self._thresholds[place] if place < len(self._thresholds) else len(degrees)
        return self.tree.closed(ranks >= least)

    def place(self, degree: Fraction) -> int:
        """Return the place of the finest view whose degree is at least that asked for; else the coarsest."""
        return min(bisect_left(self.degrees, degree), len(self) - 1)

    @cached_property
    def degrees(self) -> list[Fraction]:
        """The degree of anonymization at each place; it never falls."""
        return [self.degree(self.cuts(place)) for place in range(len(self))]

    def degree(self, cuts: np.ndarray) -> Fraction:
        """Return the degree of anonymization of a view; a record that is withheld is wholly anonymized."""
        degrees, ranks = self.ranked
        counts = np.bincount(ranks[self.groups(cuts)[self.is_shown]], minlength=len(degrees)).tolist()
        scale = lcm(*(each.denominator for each in degrees))  # sums of whole numbers are quick
        scaled = (each.numerator * (scale // each.denominator) for each in degrees)
        total = sum(count * each for count, each in zip(counts, scaled, strict=True))
        return Fraction(total + scale * len(self.tree.withheld), scale * len(self.table))

    @cached_property
    def _thresholds(self) -> np.ndarray:
        """The ranks of groups that can be cut, ascending."""
        return np.unique(self.ranked[1][(self.tree.parts > 0) & (self.sizes > 0)])
