"""Groups of people who are alike in both parts: within each class, people are exchanged as long as less is lost.

A group loses what it costs to make its answers alike, as a share of what it would cost to move all of them across the
scale, and a weight times the loss of the labels of its demographics. Groups begin with people of similar demographics.
A class of very many people is divided by answers first, since every two groups are compared. Groups that break a
promise on sensitive values are merged with others of their class, at least loss.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.rating_groups.rating_costs import GroupDemand, RatingCosts
from shoal.data import Survey
from shoal.kernels.clustering.bisection import bisect_points_by_principal_axis, bisect_rows_by_principal_axis
from shoal.kernels.groups.exchange import exchange
from shoal.progress import stage

from .label_costs import LabelCosts

__all__ = ["JointGroups", "JointTask"]

_MOST = 32
"""In classes of at least twice as many groups, only those of people with similar answers are compared."""
_PASSES = 4
_POINTS = 64
"""The most points of a scale on which groups are compared: every point takes time."""


@dataclass(frozen=True, eq=False)
class JointGroups:
    """The group 0, 1, … of each person, −1 for none, and what each group loses."""

    labels: np.ndarray
    costs: np.ndarray

    def costliest(self, people: int) -> np.ndarray:
        """Return the mask of the people in the groups that lose most for each, at most so many people."""
        sizes = np.bincount(self.labels[self.labels >= 0], minlength=len(self.costs))
        order = np.argsort(-self.costs / np.maximum(sizes, 1), kind="stable")
        chosen = order[(np.cumsum(sizes[order]) <= people) & (self.costs[order] > 0)]
        return np.isin(self.labels, chosen)


@dataclass(frozen=True, eq=False)
class JointTask:
    """People are to be put into groups that lose little of their demographics and of their answers."""

    survey: Survey
    by_hierarchy: Sequence[bool]
    """For each quasi-identifier, whether it is labeled by its hierarchy, and not by ranges."""
    demand: GroupDemand
    costs: RatingCosts
    weight: Fraction

    def groups(self, classes: np.ndarray, generator: np.random.Generator) -> JointGroups:
        """Return groups of people of one class each; those of class −1 are in none."""
        order = generator.permutation(len(classes))
        members, begins = group_offsets(classes[order])
        rows, begins = self._blocks(order[members], begins)
        rows, _ = bisect_points_by_principal_axis(self._points, rows, begins, self.demand.size)
        blocks = np.diff(begins)
        n_groups = np.maximum(blocks // self.demand.size, 1)
        firsts = np.concatenate([[0], np.cumsum(n_groups)])
        within = np.arange(len(rows)) - np.repeat(begins[:-1], blocks)
        group = np.repeat(firsts[:-1], blocks) + within * np.repeat(n_groups, blocks) // np.repeat(blocks, blocks)
        sizes = np.bincount(group, minlength=firsts[-1])
        with stage("exchanging people between groups"):
            rows, costs = self._exchanged(rows, sizes, firsts, _PASSES)
        labels = np.full(len(classes), -1, np.int64)
        labels[rows] = np.repeat(np.arange(len(sizes)), sizes)
        return JointGroups(labels, costs)

    def merged(self, groups: JointGroups, classes: np.ndarray, promises: GroupPromises) -> JointGroups:
        """Return groups that keep the promises, or are all of their class."""
        labels = groups.labels.copy()
        while True:
            rows, begins = group_offsets(labels)
            sizes = np.diff(begins)
            _, costs = self._exchanged(rows, sizes, np.arange(len(begins)), 0)
            numbers = np.repeat(np.arange(len(sizes)), sizes)
            labels[rows] = numbers
            of_class = classes[rows[begins[:-1]]]
            broken = ~promises.kept(rows, numbers, len(sizes)) & (np.bincount(of_class)[of_class] > 1)
            if not broken.any():
                return JointGroups(labels, costs)
            labels[rows] = self._joined(np.flatnonzero(broken), of_class, (rows, begins), costs)[numbers]

    def _joined(
        self, broken: np.ndarray, of_class: np.ndarray, groups: tuple[np.ndarray, np.ndarray], costs: np.ndarray
    ) -> np.ndarray:
        """Return for each group itself or the one it is merged with, the one of its class that costs least more."""
        rows, begins = groups
        sizes = np.diff(begins)
        into, merged = np.arange(len(sizes)), np.zeros(len(sizes), bool)
        for group in broken[np.argsort(sizes[broken], kind="stable")]:
            if merged[group]:
                continue
            others = np.flatnonzero((of_class == of_class[group]) & (np.arange(len(sizes)) != group))
            own = rows[begins[group] : begins[group + 1]]
            together = [np.concatenate([own, rows[begins[other] : begins[other + 1]]]) for other in others]
            both = sizes[group] + sizes[others]
            _, cost = self._exchanged(np.concatenate(together), both, np.arange(len(others) + 1), 0)
            nearest = others[np.argmin(cost - costs[others])]
            into[group], merged[[group, nearest]] = into[nearest], True
        return into

    def _blocks(self, rows: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Divide large classes into parts of people with similar answers."""
        matrix, points = self.survey.ratings.observable, self.survey.ratings.scale.points
        values = (1 + matrix.codes / max(points - 1, 1)).astype(np.float32)  # what was rated, and how high
        given, weights = (matrix.indptr, matrix.indices, values), np.ones(max(len(matrix.items), 1))
        return bisect_rows_by_principal_axis(given, weights, rows, begins, _MOST * self.demand.size)

    def _exchanged(
        self, rows: np.ndarray, sizes: np.ndarray, firsts: np.ndarray, passes: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return people, group after group, after exchanges within blocks of groups, and what each group loses.

        On a scale of many points, losses are those on a coarser one.
        """
        lines = np.zeros((len(sizes), sizes.max(initial=1)), np.int64)
        inside = np.arange(lines.shape[1]) < sizes[:, None]
        lines[inside] = rows
        costs = exchange(*self._ratings, lines, sizes, firsts, *self._terms, *self._labels, passes)
        return lines[inside], costs

    @cached_property
    def _points(self) -> np.ndarray:
        """The places of values of the demographics, as shares of all places."""
        places = self._labels[0].astype(np.float64)
        return places / np.maximum(places.max(axis=0, initial=0), 1)

    @cached_property
    def _step(self) -> int:
        """The number of steps of the scale that are one where groups are compared."""
        return -(-self.survey.ratings.scale.points // _POINTS)

    @cached_property
    def _ratings(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        matrix = self.survey.ratings.observable
        codes = matrix.codes if self._step == 1 else matrix.codes // matrix.codes.dtype.type(self._step)
        return matrix.indptr, matrix.indices, codes

    @cached_property
    def _terms(self) -> tuple[tuple[int, int], int, float, float]:
        """The numbers of items and points, the radius, and the prices of inventing and dropping a rating."""
        ratings, (invent, drop) = self.survey.ratings, self.costs.prices
        shape = max(len(ratings.observable.items), 1), -(-ratings.scale.points // self._step)
        return shape, self.demand.radius // self._step, invent / self._step, drop / self._step

    @cached_property
    def _labels(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        labels = LabelCosts.of(self.survey.table.quasi_identifiers, self.by_hierarchy, self._price / self._step)
        return labels.places, labels.slopes, labels.nodes, labels.losses

    @property
    def _price(self) -> float:
        """What it costs to lose a quasi-identifier of one person, in steps of the scale."""
        ratings, columns = self.survey.ratings, self.survey.table.quasi_identifiers
        across = max(ratings.scale.points - 1, 1) * ratings.observable.n_ratings / max(len(ratings), 1)
        return float(self.weight) * across / len(columns)
