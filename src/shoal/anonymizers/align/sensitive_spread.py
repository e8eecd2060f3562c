"""The spread that promises demand of the sensitive ratings of a group, and merging groups until they reach it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Self

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.data import Ratings, Scale
from shoal.engines import rating_amounts
from shoal.errors import PromiseNotKept
from shoal.evidence import NeedNeighborhoods, NeedPartition, NeedSpread, RatingMoments
from shoal.models import PrivacyModel

from .grouping_task import GroupingTask

__all__ = ["SpreadDemand", "merged_until_spread"]

_NEARBY = 256
"""The number of groups with close labels among which the partner of a group is chosen."""


@dataclass(frozen=True, eq=False)
class SpreadDemand:
    """How much the sensitive ratings of every group of some records must spread."""

    needs: tuple[NeedSpread, ...]
    scale: Scale
    amounts: np.ndarray
    """What each record adds to the sums of its group: itself and its sensitive ratings."""

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], ratings: Ratings) -> Self | None:
        """Return what promises demand together; None where none demands any spread."""
        needs = [model.need for model in models]
        near = [need for need in needs if isinstance(need, NeedNeighborhoods | NeedPartition)]
        spreads = tuple(need.spread for need in near if need.spread is not None)
        return cls(spreads, ratings.scale, rating_amounts(ratings, sensitive=True)) if spreads else None

    @property
    def kernel_rows(self) -> np.ndarray:
        """The needs in the form that :mod:`shoal.kernels.groups.lacking_spread` reads."""
        return np.array([need.kernel_row(self.scale) for need in self.needs], np.float64)

    def totals(self, labels: np.ndarray) -> np.ndarray:
        """Return the sums of each group 0, 1, …"""
        totals = np.zeros((int(labels.max(initial=-1)) + 1, self.amounts.shape[1]), np.int64)
        np.add.at(totals, labels, self.amounts)
        return totals

    def reached(self, totals: np.ndarray) -> np.ndarray:
        """Return the mask of the sets, given by their sums, that spread enough for all promises, exactly."""
        return self.met(RatingMoments.of_columns(self.scale, totals))

    def met(self, moments: RatingMoments) -> np.ndarray:
        """Return the mask of the sets that spread enough for all promises, exactly."""
        return np.all([need.reaches(moments) for need in self.needs], axis=0)

    def refuse(self, totals: np.ndarray) -> NoReturn:
        """Raise with the largest l for which groups were found."""
        moments = RatingMoments.of_columns(self.scale, totals)
        demanded = max(need.amount for need in self.needs)
        best = min(need.reached(moments) for need in self.needs)
        raise PromiseNotKept(
            f"No groups were found in which every sensitive issue spreads by {float(demanded):g}; the largest l for "
            f"which there are is {best:.10g}.",
            f"Ask for l={best:.10g}, or for none.",
        )


def merged_until_spread(
    task: GroupingTask, labels: np.ndarray, demand: SpreadDemand, also_poor: np.ndarray | None = None
) -> np.ndarray:
    """Return labels of larger groups that spread enough; refuse where not even all records together do.

    Every group that spreads too little, or has a record of the mask ``also_poor``, is merged with a nearby one: of
    those with which it spreads enough the one that costs least, or, where there is none, the cheapest. This is repeated
    until all groups spread enough, or one is left.
    """
    while True:
        totals = demand.totals(labels)
        poor = ~demand.reached(totals)
        if also_poor is not None:
            poor |= np.bincount(labels, also_poor, minlength=len(totals)) > 0
            also_poor = None
        if not poor.any():
            return labels
        if len(totals) == 1:
            demand.refuse(totals)
        labels = _Merging(task, labels, totals, demand).merged(np.flatnonzero(poor))


class _Merging:
    """One round, in which no group is merged twice."""

    def __init__(self, task: GroupingTask, labels: np.ndarray, totals: np.ndarray, demand: SpreadDemand) -> None:
        self._task, self._labels, self._totals, self._demand = task, labels, totals, demand
        members, begins = group_offsets(labels)
        self._groups = np.split(members, begins[1:-1])
        self._alone = task.group_costs(members, begins)
        self._taken = np.zeros(len(totals), bool)

    def merged(self, poor: np.ndarray) -> np.ndarray:
        """Return the labels after each poor group was merged with another."""
        into = np.arange(len(self._totals))
        for group in poor:
            partner = None if self._taken[group] else self._partner(int(group))
            if partner is not None:
                into[group] = partner
                self._taken[[group, partner]] = True
        return np.unique(into[self._labels], return_inverse=True)[1].astype(np.int64)

    def _partner(self, group: int) -> int | None:
        """Choose the group to merge with: groups with close labels were close when they were made."""
        free = np.flatnonzero(~self._taken)
        free = free[free != group]
        if not len(free):
            return None
        nearby = free[np.argsort(np.abs(free - group), kind="stable")[:_NEARBY]]
        reached = self._demand.reached(self._totals[nearby] + self._totals[group])
        both = [np.concatenate([self._groups[group], self._groups[other]]) for other in nearby]
        begins = np.concatenate([[0], np.cumsum([len(rows) for rows in both])])
        added = self._task.group_costs(np.concatenate(both), begins) - self._alone[nearby]
        return int(nearby[np.lexsort([added, ~reached])[0]])
