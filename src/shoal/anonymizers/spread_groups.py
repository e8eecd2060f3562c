"""Join groups of ratings until the sensitive ratings of every group spread enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.data import Ratings
from shoal.engines import rating_amounts
from shoal.evidence import RatingMoments
from shoal.kernels.level_groups import group_costs
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


def spread_groups(
    ratings: Ratings, labels: np.ndarray, asked: SpreadAsked, radius: int, costs: RatingCosts
) -> np.ndarray:
    """Give labels of larger groups that spread enough, as far as that is possible.

    Every group that does not is joined to the one of a few nearby with which together it spreads enough at least cost,
    or, where none of them will do, to the cheapest; so it goes on until all do, or one group is left.
    """
    amounts = rating_amounts(ratings, sensitive=True)
    labels = labels.copy()
    while (n_groups := int(labels.max()) + 1) > 1:
        totals = np.zeros((n_groups, amounts.shape[1]), np.int64)
        np.add.at(totals, labels, amounts)
        poor = np.flatnonzero(~asked.reached(RatingMoments.of_columns(ratings.scale, totals)))
        if not len(poor):
            break
        joined = np.arange(n_groups)
        taken = np.zeros(n_groups, bool)
        for group in poor:
            if not taken[group]:
                partner = _partner(ratings, labels, totals, int(group), taken, asked, radius, costs)
                if partner is not None:
                    joined[group] = partner
                    taken[[group, partner]] = True
        if not taken.any():
            break
        labels = np.unique(joined[labels], return_inverse=True)[1].astype(np.int64)
    return labels


def _partner(
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
    together = RatingMoments.of_columns(ratings.scale, totals[nearby] + totals[group])
    enough = asked.reached(together)
    members = [np.flatnonzero((labels == group) | (labels == other)) for other in nearby]
    begins = np.concatenate([[0], np.cumsum([len(rows) for rows in members])])
    matrix = ratings.observable
    shape = (max(len(matrix.items), 1), ratings.scale.points)
    prices = (radius, costs.invent, costs.drop)
    each = group_costs(matrix.indptr, matrix.indices, matrix.codes, np.concatenate(members), begins, shape, *prices)
    return int(nearby[np.lexsort([each, ~enough])[0]])
