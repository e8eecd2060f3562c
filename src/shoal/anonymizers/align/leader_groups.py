"""Put ratings into groups whose records are near to a few who lead them, at little cost.

Where a promise is by neighborhoods, a record needs k − 1 others near it, and these need not be near each other's other
neighbors. So k − 1 records can lead a group: they are brought close together, and all others of the group need only
be within ε of every leader, anywhere in an interval twice as long as in a group that is pairwise within ε. Groups may
be large, as only leaders pay for being close.

How many groups are best depends on the data: few make leaders cheap and many make followers cheap. In blocks of records
that are like each other, 1, 2, 4, … groups are tried; each time, records go to the group that is cheapest to follow,
those lead for whom it makes least difference, and so on until nothing is gained. Where the most groups are best, the
groups of :mod:`.alike_groups` are tried too.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.aligned_groups import leader_widths
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import RatingMatrix
from shoal.kernels.groups.leader_groups import choose_leaders, costs_of_following, led_costs, led_ranges
from shoal.progress import stage

from .alike_groups import CoarseScale, alike_groups, costliest_groups, halved

__all__ = ["LedGroups", "leader_groups"]

_BLOCK = 2048
"""Blocks have at least so many records, where there are, and less than twice as many."""
_ROUNDS = 12
_PATIENCE = 2
"""So many times in a row more groups, or another round, may gain nothing before it is the last."""
_FEW = 200
"""With so many records at most, groups of records that are all alike are always tried too."""


@dataclass(frozen=True, eq=False)
class LedGroups:
    """Labels 0, 1, … of the records, −1 for one in no group; who leads; and what each record costs."""

    labels: np.ndarray
    leads: np.ndarray
    costs: np.ndarray

    def without_dearest(self, max_withheld: int) -> "LedGroups":
        """Leave out those who cost most, so many at most: whole groups first, or followers alone, as saves more."""
        inside = self.labels >= 0
        costs = np.bincount(self.labels[inside], self.costs[inside])
        groups = np.isin(self.labels, costliest_groups(self.labels, costs, max_withheld))
        tries = [out | self._dearest_followers(out, max_withheld) for out in (groups, np.zeros_like(groups))]
        out = max(tries, key=lambda out: float(self.costs[out].sum()))
        return LedGroups(np.where(out, -1, self.labels), self.leads & ~out, np.where(out, 0, self.costs))

    def _dearest_followers(self, out: np.ndarray, max_withheld: int) -> np.ndarray:
        """Return a mask, beside those who are out already; leaders need one who follows, so one of a group stays."""
        following = np.flatnonzero((self.labels >= 0) & ~self.leads & ~out)
        group_offsets = following[np.lexsort([self.costs[following], self.labels[following]])]
        may_go = group_offsets[np.diff(self.labels[group_offsets], prepend=-1) == 0]
        may_go = may_go[self.costs[may_go] > 0]
        mask = np.zeros(len(out), bool)
        mask[may_go[np.argsort(-self.costs[may_go], kind="stable")][: max_withheld - int(out.sum())]] = True
        return mask


def leader_groups(
    matrix: RatingMatrix,
    n_values: int,
    radius: int,
    size: int,
    costs: RatingCosts,
    generator: np.random.Generator,
    rounds: int,
    alone: np.ndarray | None = None,
) -> LedGroups:
    """Group all records, each with at least ``size`` − 1 others near it; there must be at least ``size``.

    With ``alone``, what each record costs that is in no group, those for which that is cheaper are left out.
    """
    n = len(matrix)
    outside = np.full(n, np.inf) if alone is None else alone
    order, begins = halved(matrix, n_values, np.arange(n), max(_BLOCK, size))
    labels, finest = np.full(n, -1, np.int64), np.zeros(n, bool)
    with stage("grouping around leaders", len(begins) - 1) as progress:
        for begin, end in itertools.pairwise(begins):
            rows = order[begin:end]
            block = _Search(matrix.take(rows), n_values, CoarseScale.of(n_values), radius, size, costs)
            found, most = block.best(outside[rows])
            labels[rows] = np.where(found >= 0, found + labels.max(initial=-1) + 1, -1)
            finest[rows] = most
            progress.advance()
    whole = _Search(matrix, n_values, CoarseScale(n_values, 1), radius, size, costs)
    best = whole.published(labels, outside)
    rows = np.flatnonzero(finest)
    if len(rows) >= size:
        some = matrix.take(rows)
        else_alone = None if alone is None else alone[rows]
        found = alike_groups(some, n_values, radius, size, costs, generator, rounds, else_alone)
        other = labels.copy()
        other[rows] = np.where(found.labels >= 0, found.labels + labels.max(initial=-1) + 1, -1)
        best = min(best, whole.published(other, outside), key=lambda groups: float(groups.costs.sum()))
    return best


class _Search:
    def __init__(
        self, matrix: RatingMatrix, n_values: int, scale: CoarseScale, radius: int, size: int, costs: RatingCosts
    ) -> None:
        self._matrix, self._n_values, self._size, self._together = matrix, n_values, size, scale.together
        self._rows = scale.rows(matrix)
        steps, invent, drop = scale.prices(radius, costs)
        self._prices = (invent, drop)
        self._how = (scale.shape(matrix), steps, leader_widths(steps), invent, drop)

    def best(self, outside: np.ndarray) -> tuple[np.ndarray, bool]:
        """Try more and more groups; give the labels of the cheapest, and whether more might be cheaper still."""
        n, outside = len(self._matrix), outside / self._together
        most = n // self._size
        if most < 2 and np.isinf(outside).any():
            return np.zeros(n, np.int64), n <= _FEW
        order, _ = halved(self._matrix, self._n_values, np.arange(n), self._size)
        best, best_cost, finest = np.full(n, -1, np.int64), float(outside.sum()), False
        misses, groups = 0, 1
        while misses < _PATIENCE:
            start = np.empty(n, np.int64)
            start[order] = np.arange(n) * groups // n
            labels, cost = self._settled(start, outside)
            misses = 0 if cost < best_cost else misses + 1
            if cost < best_cost:
                best, best_cost, finest = labels, cost, 2 * groups >= most
            if groups == most:
                break
            groups = min(2 * groups, most)
        return best, finest or n <= _FEW

    def published(self, labels: np.ndarray, outside: np.ndarray) -> LedGroups:
        """Choose who leads, and work out what every record costs."""
        used, labels = np.unique(labels, return_inverse=True)
        labels = labels - int(used[0] < 0)
        members, begins = group_offsets(labels)
        leads = choose_leaders(*self._rows, members, begins, *self._how, self._size - 1)
        costs = led_costs(*self._rows, members, begins, leads, *self._how)
        return LedGroups(labels, leads, np.where(labels < 0, outside, costs))

    def _settled(self, labels: np.ndarray, outside: np.ndarray) -> tuple[np.ndarray, float]:
        """Let records go where they cost least, again and again."""
        best, best_cost, misses = labels, np.inf, 0
        for _ in range(_ROUNDS):
            found = self.published(labels, outside)
            cost = float(found.costs.sum())
            misses = 0 if cost < best_cost else misses + 1
            if cost < best_cost:
                best, best_cost = found.labels, cost
            if misses == _PATIENCE or found.labels.max() < 0:
                break
            members, begins = group_offsets(found.labels)
            ranges = led_ranges(*self._rows, members, begins, found.leads, *self._how)
            labels = self._cheapest(costs_of_following(*self._rows, *ranges, *self._prices), outside)
        return best, best_cost

    def _cheapest(self, costs: np.ndarray, outside: np.ndarray) -> np.ndarray:
        """Return each record the group that is cheapest to follow; a group with too few is given up, smallest first."""
        costs = np.column_stack([costs, outside])
        n_groups = costs.shape[1] - 1
        labels = costs.argmin(axis=1)
        while True:
            sizes = np.bincount(labels, minlength=n_groups + 1)[:n_groups]
            small = np.flatnonzero((sizes > 0) & (sizes < self._size))
            if not len(small):
                return np.where(labels < n_groups, labels, -1)
            given_up = small[sizes[small].argmin()]
            costs[:, given_up] = np.inf
            moving = np.flatnonzero(labels == given_up)
            labels[moving] = costs[moving].argmin(axis=1)
