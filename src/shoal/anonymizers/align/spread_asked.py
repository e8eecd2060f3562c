"""What promises ask of the sensitive ratings in a group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Self

import numpy as np

from shoal.data import Ratings, Scale
from shoal.engines import rating_amounts
from shoal.errors import PromiseNotKept
from shoal.evidence import RatingMoments
from shoal.models import KEpsilon, PrivacyModel

__all__ = ["SpreadAsked"]


@dataclass(frozen=True, eq=False)
class SpreadAsked:
    """How much the sensitive ratings of every group of some records must spread."""

    promises: tuple[KEpsilon, ...]
    scale: Scale
    amounts: np.ndarray
    """What each record adds to the sums of its group: itself and its sensitive ratings."""

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], ratings: Ratings) -> Self | None:
        """Return what promises ask together, or nothing where none asks anything."""
        asking = tuple(model for model in models if isinstance(model, KEpsilon) and model.l is not None)
        return cls(asking, ratings.scale, rating_amounts(ratings, sensitive=True)) if asking else None

    @property
    def needs(self) -> np.ndarray:
        """The same as :mod:`shoal.kernels.groups.lacking_spread` reads it."""
        return np.array([model.spread_line(self.scale) for model in self.promises], np.float64)

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
        return np.all([model.spreads(moments) for model in self.promises], axis=0)

    def refuse(self, totals: np.ndarray) -> NoReturn:
        """Say that it cannot be done, and what can."""
        moments = RatingMoments.of_columns(self.scale, totals)
        asked = max(model.l or 0 for model in self.promises)
        best = min(model.least_spread(moments) for model in self.promises)
        raise PromiseNotKept(
            f"No groups were found in which every sensitive issue spreads by {float(asked):g}; the largest l for which "
            f"there are is {best:.10g}.",
            f"Ask for l={best:.10g}, or for none.",
        )
