"""What promises ask of the sensitive ratings in a group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Self

import numpy as np

from shoal.data import Ratings, Scale
from shoal.engines import rating_amounts
from shoal.errors import PromiseNotKept
from shoal.evidence import NeedNeighborhoods, NeedPartition, NeedSpread, RatingMoments
from shoal.models import PrivacyModel

__all__ = ["SpreadAsked"]


@dataclass(frozen=True, eq=False)
class SpreadAsked:
    """How much the sensitive ratings of every group of some records must spread."""

    needs: tuple[NeedSpread, ...]
    scale: Scale
    amounts: np.ndarray
    """What each record adds to the sums of its group: itself and its sensitive ratings."""

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], ratings: Ratings) -> Self | None:
        """Return what promises ask together, or nothing where none asks anything."""
        needs = [model.need for model in models]
        near = [need for need in needs if isinstance(need, NeedNeighborhoods | NeedPartition)]
        spreads = tuple(need.spread for need in near if need.spread is not None)
        return cls(spreads, ratings.scale, rating_amounts(ratings, sensitive=True)) if spreads else None

    @property
    def kernel_rows(self) -> np.ndarray:
        """The same as :mod:`shoal.kernels.groups.lacking_spread` reads it."""
        return np.array([need.kernel_row(self.scale) for need in self.needs], np.float64)

    def totals(self, labels: np.ndarray) -> np.ndarray:
        """Return the sums of each group 0, 1, …"""
        totals = np.zeros((int(labels.max(initial=-1)) + 1, self.amounts.shape[1]), np.int64)
        np.add.at(totals, labels, self.amounts)
        return totals

    def reached(self, totals: np.ndarray) -> np.ndarray:
        """Return the mask of the sets, known by their sums, that spread enough for all promises: exactly."""
        return self.met(RatingMoments.of_columns(self.scale, totals))

    def met(self, moments: RatingMoments) -> np.ndarray:
        """Return the mask of the sets that spread enough for all promises: exactly."""
        return np.all([need.reaches(moments) for need in self.needs], axis=0)

    def refuse(self, totals: np.ndarray) -> NoReturn:
        """Say that it cannot be done, and what can."""
        moments = RatingMoments.of_columns(self.scale, totals)
        asked = max(need.amount for need in self.needs)
        best = min(need.reached(moments) for need in self.needs)
        raise PromiseNotKept(
            f"No groups were found in which every sensitive issue spreads by {float(asked):g}; the largest l for which "
            f"there are is {best:.10g}.",
            f"Ask for l={best:.10g}, or for none.",
        )
