"""Join groups of ratings until the sensitive ratings of every group spread enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Self

import numpy as np

from shoal.data import Ratings
from shoal.engines import rating_amounts
from shoal.errors import PromiseNotKept
from shoal.evidence import RatingMoments
from shoal.kernels.group_costs import group_costs
from shoal.models import KEpsilon, PrivacyModel

from .rating_costs import RatingCosts

__all__ = ["SpreadAsked", "spread_groups"]

_NEARBY = 24


@dataclass(frozen=True)
class SpreadAsked:
    """What promises ask of the sensitive ratings in a group."""

    promises: tuple[KEpsilon, ...]

    @classmethod
    def of(cls, models: Sequence[PrivacyModel]) -> Self | None:
        """Give what they ask together, or nothing where none asks anything."""
        asking = tuple(model for model in models if isinstance(model, KEpsilon) and model.l is not None)
        return cls(asking) if asking else None

    def reached(self, moments: RatingMoments) -> np.ndarray:
        """Give the mask of the sets that spread enough for all of them."""
        return np.all([model.spreads(moments) for model in self.promises], axis=0)

    def refuse(self, moments: RatingMoments) -> NoReturn:
        """Say that it cannot be done, and what can."""
        asked = max(model.l or 0 for model in self.promises)
        best = min(model.least_spread(moments) for model in self.promises)
        raise PromiseNotKept(
            f"No groups were found in which every sensitive issue spreads by {float(asked):g}; the largest l for which "
            f"there are is {best:.10g}.",
            f"Ask for l={best:.10g}, or for none.",
        )


def spread_groups(
    given: Ratings,
    ratings: Ratings,
    labels: np.ndarray,
    asked: SpreadAsked,
    radius: int,
    costs: RatingCosts,
    also_poor: np.ndarray | None = None,
) -> np.ndarray:
    """Give labels of larger groups that spread enough; refuse where not even all records together do.

    Every group that does not is joined to the one of a few nearby with which together it spreads enough at least cost,
    or, where none of them will do, to the cheapest; so it goes on until all do, or one group is left.
    """
    amounts = rating_amounts(given, sensitive=True)
    labels = labels.copy()
    while True:
        n_groups = int(labels.max()) + 1
        totals = np.zeros((n_groups, amounts.shape[1]), np.int64)
        np.add.at(totals, labels, amounts)
        moments = RatingMoments.of_columns(given.scale, totals)
        poor = ~asked.reached(moments)
        if also_poor is not None:
            poor |= np.bincount(labels, also_poor, minlength=n_groups) > 0
            also_poor = None
        if not poor.any():
            return labels
        if n_groups == 1:
            asked.refuse(moments)
        labels = _joined(given, ratings, labels, totals, np.flatnonzero(poor), asked, radius, costs)


def _joined(
    given: Ratings,
    ratings: Ratings,
    labels: np.ndarray,
    totals: np.ndarray,
    poor: np.ndarray,
    asked: SpreadAsked,
    radius: int,
    costs: RatingCosts,
) -> np.ndarray:
    """Join each poor group to another, no group twice."""
    into = np.arange(len(totals))
    taken = np.zeros(len(totals), bool)
    for group in poor:
        if not taken[group]:
            partner = _partner(given, ratings, labels, totals, int(group), taken, asked, radius, costs)
            if partner is not None:
                into[group] = partner
                taken[[group, partner]] = True
    return np.unique(into[labels], return_inverse=True)[1].astype(np.int64)


def _partner(
    given: Ratings,
    ratings: Ratings,
    labels: np.ndarray,
    totals: np.ndarray,
    group: int,
    taken: np.ndarray,
    asked: SpreadAsked,
    radius: int,
    costs: RatingCosts,
) -> int | None:
    """Choose the group to join: groups with close labels were close when they were made."""
    free = np.flatnonzero(~taken)
    free = free[free != group]
    if not len(free):
        return None
    nearby = free[np.argsort(np.abs(free - group), kind="stable")[:_NEARBY]]
    together = RatingMoments.of_columns(given.scale, totals[nearby] + totals[group])
    enough = asked.reached(together)
    members = [np.flatnonzero((labels == group) | (labels == other)) for other in nearby]
    begins = np.concatenate([[0], np.cumsum([len(rows) for rows in members])])
    matrix = ratings.observable
    shape = (max(len(matrix.items), 1), ratings.scale.points)
    prices = (radius, *costs.prices)
    each = group_costs(matrix.indptr, matrix.indices, matrix.codes, np.concatenate(members), begins, shape, *prices)
    return int(nearby[np.lexsort([each, ~enough])[0]])
