"""The task that the searches of ``align`` share: records to group, what is demanded of a group, and what it costs."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from shoal.anonymizers.rating_groups.rating_costs import GroupDemand, RatingCosts
from shoal.data import RatingMatrix, Scale
from shoal.kernels.clustering.bisection import bisect_rows_by_principal_axis
from shoal.kernels.groups.group_costs import group_costs

__all__ = ["GroupingTask", "costliest_groups", "labels_of"]

_POINTS = 64
"""The most points of a scale on which groups are searched for: every point takes time."""


@dataclass(frozen=True, eq=False)
class GroupingTask:
    """Records are to be put into groups of at least ``size`` that are cheap to bring within ``radius``."""

    matrix: RatingMatrix
    points: int
    """The number of points of the scale."""
    radius: int
    size: int
    costs: RatingCosts
    step: int = 1
    """The number of steps of the original scale that are one step of this task."""

    @classmethod
    def of(cls, matrix: RatingMatrix, scale: Scale, demand: GroupDemand, costs: RatingCosts) -> Self:
        """Return the task of grouping the records of a matrix."""
        return cls(matrix, scale.points, demand.radius, demand.size, costs)

    def __len__(self) -> int:
        return len(self.matrix)

    def take(self, rows: np.ndarray) -> Self:
        """Return the task for some of the records."""
        return replace(self, matrix=self.matrix.take(rows))

    def coarser(self) -> Self:
        """Return the task on a scale of few points, where this one has many."""
        step = -(-self.points // _POINTS)
        if step == 1:
            return self
        codes = self.matrix.codes
        return replace(
            self,
            matrix=replace(self.matrix, codes=codes // codes.dtype.type(step)),
            points=-(-self.points // step),
            radius=self.radius // step,
            costs=RatingCosts(self.costs.invent / step, self.costs.drop / step),
            step=step,
        )

    @property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The records as compressed rows, for kernels."""
        return self.matrix.indptr, self.matrix.indices, self.matrix.codes

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of columns and of values, for kernels; there is at least one column."""
        return max(len(self.matrix.items), 1), self.points

    @property
    def terms(self) -> tuple[tuple[int, int], int, float, float]:
        """Shape, radius and the prices of inventing and dropping a rating, for kernels."""
        return self.shape, self.radius, *self.costs.prices

    def group_costs(self, members: np.ndarray, begins: np.ndarray) -> np.ndarray:
        """Return the least cost of aligning each group ``members[begins[g]:begins[g + 1]]``."""
        return group_costs(*self.rows, members, begins, *self.terms)

    def bisected(
        self, size: int, rows: np.ndarray | None = None, weights: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rows in an order, and the offsets of parts of at least ``size`` similar rows and less than twice that.

        ``weights`` are those of the items.
        """
        order = np.arange(len(self)) if rows is None else rows
        weights = np.ones(self.shape[0]) if weights is None else weights
        given = self.matrix.indptr, self.matrix.indices, self._values
        return bisect_rows_by_principal_axis(given, weights, order, np.array([0, len(order)]), size)

    @cached_property
    def _values(self) -> np.ndarray:
        """A number for each rating that reflects both that it was given and how high it is on the scale."""
        indices, codes, n_items = self.matrix.indices, self.matrix.codes, self.shape[0]
        given = np.maximum(np.bincount(indices, minlength=n_items), 1)
        means = np.bincount(indices, codes, minlength=n_items) / given
        return (1 + 2 * (codes - means[indices]) / max(self.points - 1, 1)).astype(np.float32)


def labels_of(order: np.ndarray, begins: np.ndarray, n: int) -> np.ndarray:
    """Return the group 0, 1, … of each of ``n`` records, −1 for none; group g is ``order[begins[g]:begins[g + 1]]``."""
    labels = np.full(n, -1, np.int64)
    labels[order] = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    return labels


def costliest_groups(labels: np.ndarray, costs: np.ndarray, max_withheld: int) -> np.ndarray:
    """Return the groups of the highest cost per record that have at most ``max_withheld`` records together.

    ``labels`` holds the group of each record, or −1 for none; ``costs`` are those of the groups.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=len(costs))
    order = np.argsort(-costs / np.maximum(sizes, 1), kind="stable")
    return order[(np.cumsum(sizes[order]) <= max_withheld) & (costs[order] > 0)]
