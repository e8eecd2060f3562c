"""Join groups of ratings until the sensitive ratings of every group spread enough."""

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import RatingMatrix
from shoal.kernels.groups.group_costs import group_costs

from .spread_asked import SpreadAsked

__all__ = ["spread_groups"]

_NEARBY = 256
"""So many groups with close labels are looked at for one that is to be joined."""


def spread_groups(
    matrix: RatingMatrix,
    n_values: int,
    labels: np.ndarray,
    asked: SpreadAsked,
    radius: int,
    costs: RatingCosts,
    also_poor: np.ndarray | None = None,
) -> np.ndarray:
    """Return labels of larger groups that spread enough; refuse where not even all records together do.

    Every group that does not is joined to the one of many nearby with which together it spreads enough and that makes
    the least dearer, or, where none of them will do, to the cheapest; so it goes on until all do, or one group is left.
    """
    join = _Join(matrix, n_values, asked, radius, costs)
    while True:
        totals = asked.totals(labels)
        poor = ~asked.reached(totals)
        if also_poor is not None:
            poor |= np.bincount(labels, also_poor, minlength=len(totals)) > 0
            also_poor = None
        if not poor.any():
            return labels
        if len(totals) == 1:
            asked.refuse(totals)
        labels = join.joined(labels, totals, np.flatnonzero(poor))


class _Join:
    def __init__(
        self, matrix: RatingMatrix, n_values: int, asked: SpreadAsked, radius: int, costs: RatingCosts
    ) -> None:
        self._rows = matrix.indptr, matrix.indices, matrix.codes
        self._how = (max(len(matrix.items), 1), n_values), radius, *costs.prices
        self._asked = asked

    def joined(self, labels: np.ndarray, totals: np.ndarray, poor: np.ndarray) -> np.ndarray:
        """Join each poor group to another, no group twice."""
        members, begins = group_offsets(labels)
        groups = np.split(members, begins[1:-1])
        alone = group_costs(*self._rows, members, begins, *self._how)
        into, taken = np.arange(len(totals)), np.zeros(len(totals), bool)
        for group in poor:
            if not taken[group]:
                partner = self._partner(groups, alone, totals, int(group), taken)
                if partner is not None:
                    into[group] = partner
                    taken[[group, partner]] = True
        return np.unique(into[labels], return_inverse=True)[1].astype(np.int64)

    def _partner(
        self, groups: list[np.ndarray], alone: np.ndarray, totals: np.ndarray, group: int, taken: np.ndarray
    ) -> int | None:
        """Choose the group to join: groups with close labels were close when they were made."""
        free = np.flatnonzero(~taken)
        free = free[free != group]
        if not len(free):
            return None
        nearby = free[np.argsort(np.abs(free - group), kind="stable")[:_NEARBY]]
        enough = self._asked.reached(totals[nearby] + totals[group])
        both = [np.concatenate([groups[group], groups[other]]) for other in nearby]
        begins = np.concatenate([[0], np.cumsum([len(rows) for rows in both])])
        dearer = group_costs(*self._rows, np.concatenate(both), begins, *self._how) - alone[nearby]
        return int(nearby[np.lexsort([dearer, ~enough])[0]])
