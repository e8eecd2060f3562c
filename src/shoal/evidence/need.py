"""The evidence that a promise asks for before it judges."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from shoal.data import Scale

from .neighborhoods import RatingMoments

__all__ = ["Need", "NeedGroups", "NeedItemSets", "NeedNeighborhoods", "NeedPartition", "NeedSpread"]


@dataclass(frozen=True)
class NeedGroups:
    """The records grouped by their observable part, and counted."""

    sensitive: bool = False
    """Whether the sensitive values in each group are counted too."""
    declared: Literal["categories", "order", "hierarchy"] | None = None
    """What the schema must declare about the values of every sensitive attribute."""
    amounts: bool = False
    """Whether it matters how many people have each sensitive value, and not only which values occur."""
    overall: bool = False
    """Whether groups are compared with how common the values are in all records."""


@dataclass(frozen=True)
class NeedNeighborhoods:
    """For each record, how many others are within ε of it."""

    epsilon: Fraction
    enough: int | None = None
    """How many others matter; without it all are counted."""
    spread: "NeedSpread | None" = None
    """How the sensitive ratings of each neighborhood must be spread; then all others are counted."""

    @property
    def sensitive(self) -> bool:
        """Whether the sensitive ratings of each neighborhood are added up too."""
        return self.spread is not None


@dataclass(frozen=True)
class NeedPartition:
    """The records split into groups of at least ``size`` that are pairwise within ε."""

    epsilon: Fraction
    size: int
    spread: "NeedSpread | None" = None
    largest: bool = True
    """Whether the largest size that can be found is of interest too, or only that a split at ``size`` is found."""

    @property
    def sensitive(self) -> bool:
        """Whether the sensitive ratings of groups matter too."""
        return self.spread is not None


@dataclass(frozen=True)
class NeedSpread:
    """How the sensitive ratings of a set of records must be spread; the promise defines what spread is."""

    amount: Fraction
    """How much every sensitive item must spread at least."""
    reaches: Callable[[RatingMoments], np.ndarray]
    """Return the mask of the sets that are spread enough."""
    reached: Callable[[RatingMoments], float]
    """Return the largest amount that all sets reach, rounded down."""
    ranks: Callable[[RatingMoments], np.ndarray]
    """Number sets by how well they are spread."""
    merge_safe: bool
    """Whether the union of two sets that are spread enough always is."""
    kernel_row: Callable[[Scale], np.ndarray]
    """Return the demand in the form that :mod:`shoal.kernels.groups.lacking_spread` reads; verdicts use ``reaches``."""


@dataclass(frozen=True)
class NeedItemSets:
    """For each group of records, how many groups, or people, hold the rarest set of a few of its items."""

    items: int
    """How many items a set has at most."""
    enough: int
    """How many groups, or people, matter."""
    people: bool = False
    """Whether people are counted, and not groups of equal records."""

    @property
    def sensitive(self) -> bool:
        """Sensitive ratings do not matter."""
        return False


Need = NeedGroups | NeedItemSets | NeedNeighborhoods | NeedPartition
