"""The cost of modifying ratings, and what promises demand of groups of records."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from shoal.data import RatingMatrix, Scale
from shoal.errors import WordingError
from shoal.evidence import NeedNeighborhoods
from shoal.models import PrivacyModel

__all__ = ["GroupDemand", "RatingCosts"]


_ACROSS = 4
"""The cost of moving a rating across the whole scale, in the unit of the settings: the number of steps of 1…5."""


@dataclass(frozen=True)
class RatingCosts:
    """Exact costs in steps of a scale: moving a rating by one step costs 1.

    Settings state prices in quarters of the span of the scale, so that decisions do not depend on how finely a scale is
    divided. On a scale of five points a quarter is one step.
    """

    invent: Fraction = Fraction(3)
    """The price of a published rating that nobody gave."""
    drop: Fraction = Fraction(2)
    """The price of a rating that was given and is not published."""

    @classmethod
    def on(cls, scale: Scale, invent: Fraction = invent, drop: Fraction = drop) -> Self:
        """Return the costs in steps of a scale from prices in quarters of its span, of sets in prices as they are."""
        quarter = Fraction(scale.points - 1, _ACROSS) if scale.points > 1 else Fraction(1)
        return cls(invent * quarter, drop * quarter)

    @property
    def prices(self) -> tuple[float, float]:
        """The prices of inventing and dropping a rating as doubles, for kernels."""
        return float(self.invent), float(self.drop)

    def on_finer(self, steps: int) -> "RatingCosts":
        """Return the same costs on a scale on which each step is divided into ``steps``."""
        return RatingCosts(self.invent * steps, self.drop * steps)

    def between(self, before: RatingMatrix, after: RatingMatrix) -> Fraction:
        """Return the cost of turning one matrix into another, over the same items and records."""
        if not (len(before) == len(after) and len(before.items) == len(after.items)):
            raise ValueError("Costs are between matrices of the same records and items.")
        keys = [_keys(matrix) for matrix in (before, after)]
        _, old, new = np.intersect1d(*keys, assume_unique=True, return_indices=True)
        moved = np.abs(before.codes[old].astype(np.int64) - after.codes[new].astype(np.int64)).sum()
        return int(moved) + self.drop * (len(keys[0]) - len(old)) + self.invent * (len(keys[1]) - len(new))


def _keys(matrix: RatingMatrix) -> np.ndarray:
    rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
    return rows * max(len(matrix.items), 1) + matrix.indices


@dataclass(frozen=True)
class GroupDemand:
    """Groups of at least ``size`` records, of one pattern of nulls and pairwise within ``radius``, keep the promises.

    The spread of sensitive ratings that l demands is not included: the road refuses groups that spread too little.
    """

    size: int
    radius: int
    """In steps of the scale; from the distance of a null on, records need not even share a pattern."""
    by_neighbors: bool
    """Whether records need only have enough neighbors, and not fall into groups."""

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], scale: Scale, method: str) -> Self:
        """Return the demand that implies every promise; refuse promises of other kinds."""
        radii = []
        for model in models:
            if model.radius is None and model.kept_by_equal is None:
                raise WordingError(
                    f"The method {method!r} cannot keep {model}.",
                    "It keeps k-epsilon, and k-anonymity and km-anonymity of ratings.",
                )
            radii.append(0 if model.radius is None else scale.steps_within(model.radius))
        by_neighbors = all(isinstance(model.need, NeedNeighborhoods) for model in models)
        return cls(max(model.fewest_records for model in models), min(radii), by_neighbors)

    def epsilon(self, scale: Scale) -> Fraction:
        """Return the radius in units of the ratings."""
        return self.radius * scale.step
