"""Leader groups: groups whose records are within ε of a few leaders, at little cost.

Where a promise is by neighborhoods, a record needs k − 1 others near it, and these need not be near each other's other
neighbors. So k − 1 records can lead a group: they are brought close together, and all others of the group need only
be within ε of every leader, anywhere in an interval twice as long as in a group that is pairwise within ε. Groups may
be large, as only leaders pay for being close.

The best number of groups depends on the data: few make leaders cheap and many make followers cheap. In blocks of
similar records, 1, 2, 4, … groups are tried; each time, records go to the group that is cheapest to follow, those lead
for whom it makes least difference, and so on until nothing is gained. Where the most groups are best, alike groups
(:mod:`.alike_groups`) are tried too.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.aligned_groups import leader_widths
from shoal.kernels.groups.leader_groups import choose_leaders, costs_of_following, led_costs, led_ranges
from shoal.progress import stage

from .alike_groups import alike_groups
from .grouping_task import GroupingTask, costliest_groups

__all__ = ["LeaderGroups", "leader_groups"]

_BLOCK = 2048
"""The least number of records of a block, where there are that many; it has less than twice as many."""
_ROUNDS = 12
_PATIENCE = 2
"""How many times in a row more groups, or another round, may gain nothing before the search ends."""
_FEW = 200
"""The most records for which alike groups are always tried too."""


@dataclass(frozen=True, eq=False)
class LeaderGroups:
    """The group 0, 1, … of each record, −1 for none; the mask of the leaders; and the cost of each record."""

    labels: np.ndarray
    leads: np.ndarray
    costs: np.ndarray

    def without_costliest(self, max_withheld: int) -> "LeaderGroups":
        """Leave out at most ``max_withheld`` records: whole groups first, or followers only, as saves more."""
        inside = self.labels >= 0
        costs = np.bincount(self.labels[inside], self.costs[inside])
        groups = np.isin(self.labels, costliest_groups(self.labels, costs, max_withheld))
        tries = [out | self._costliest_followers(out, max_withheld) for out in (groups, np.zeros_like(groups))]
        out = max(tries, key=lambda out: float(self.costs[out].sum()))
        return LeaderGroups(np.where(out, -1, self.labels), self.leads & ~out, np.where(out, 0, self.costs))

    def _costliest_followers(self, out: np.ndarray, max_withheld: int) -> np.ndarray:
        """Return a mask of followers beside those ``out`` already; one of a group stays, as leaders need a follower."""
        following = np.flatnonzero((self.labels >= 0) & ~self.leads & ~out)
        by_group = following[np.lexsort([self.costs[following], self.labels[following]])]
        may_go = by_group[np.diff(self.labels[by_group], prepend=-1) == 0]
        may_go = may_go[self.costs[may_go] > 0]
        mask = np.zeros(len(out), bool)
        mask[may_go[np.argsort(-self.costs[may_go], kind="stable")][: max_withheld - int(out.sum())]] = True
        return mask


def leader_groups(
    task: GroupingTask, generator: np.random.Generator, rounds: int, alone: np.ndarray | None = None
) -> LeaderGroups:
    """Group all records of a task, each with at least ``task.size`` − 1 others near it; there are at least that many.

    With ``alone``, the cost of each record outside groups, records for which that is cheaper are in no group.
    """
    outside = np.full(len(task), np.inf) if alone is None else alone
    labels, finest = _in_blocks(task, outside)
    whole = _Search(task)
    best = whole.groups(labels, outside)
    rows = np.flatnonzero(finest)
    if len(rows) >= task.size:
        found = alike_groups(task.take(rows), generator, rounds, None if alone is None else alone[rows])
        other = labels.copy()
        other[rows] = np.where(found.labels >= 0, found.labels + labels.max(initial=-1) + 1, -1)
        best = min(best, whole.groups(other, outside), key=lambda groups: float(groups.costs.sum()))
    return best


def _in_blocks(task: GroupingTask, outside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Group the records block by block; return labels, and the mask of the blocks in which the most groups are best."""
    order, begins = task.bisected(max(_BLOCK, task.size))
    labels, finest = np.full(len(task), -1, np.int64), np.zeros(len(task), bool)
    with stage("grouping around leaders", len(begins) - 1) as progress:
        for begin, end in itertools.pairwise(begins):
            rows = order[begin:end]
            block = task.take(rows)
            found, finest[rows] = _Search(block.coarser()).best(block, outside[rows])
            labels[rows] = np.where(found >= 0, found + labels.max(initial=-1) + 1, -1)
            progress.advance()
    return labels, finest


class _Search:
    def __init__(self, task: GroupingTask) -> None:
        self._task, self._size = task, task.size
        invent, drop = task.costs.prices
        self._prices = (invent, drop)
        self._terms = (task.shape, task.radius, leader_widths(task.radius), invent, drop)

    def best(self, original: GroupingTask, outside: np.ndarray) -> tuple[np.ndarray, bool]:
        """Try more and more groups; return the labels of the cheapest, and whether more might be cheaper still.

        ``original`` is the task on the original scale, on which also ``outside`` is stated.
        """
        n, outside = len(self._task), outside / self._task.step
        most = n // self._size
        if most < 2 and np.isinf(outside).any():
            return np.zeros(n, np.int64), n <= _FEW
        order, _ = original.bisected(self._size)
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

    def groups(self, labels: np.ndarray, outside: np.ndarray) -> LeaderGroups:
        """Choose the leaders, and compute the cost of every record."""
        used, labels = np.unique(labels, return_inverse=True)
        labels = labels - int(used[0] < 0)
        members, begins = group_offsets(labels)
        leads = choose_leaders(*self._task.rows, members, begins, *self._terms, self._size - 1)
        costs = led_costs(*self._task.rows, members, begins, leads, *self._terms)
        return LeaderGroups(labels, leads, np.where(labels < 0, outside, costs))

    def _settled(self, labels: np.ndarray, outside: np.ndarray) -> tuple[np.ndarray, float]:
        """Let records go to the group in which they cost least, again and again."""
        best, best_cost, misses = labels, np.inf, 0
        for _ in range(_ROUNDS):
            found = self.groups(labels, outside)
            cost = float(found.costs.sum())
            misses = 0 if cost < best_cost else misses + 1
            if cost < best_cost:
                best, best_cost = found.labels, cost
            if misses == _PATIENCE or found.labels.max() < 0:
                break
            members, begins = group_offsets(found.labels)
            ranges = led_ranges(*self._task.rows, members, begins, found.leads, *self._terms)
            labels = self._cheapest(costs_of_following(*self._task.rows, *ranges, *self._prices), outside)
        return best, best_cost

    def _cheapest(self, costs: np.ndarray, outside: np.ndarray) -> np.ndarray:
        """Return the cheapest group to follow for each record; groups that are too small are dissolved."""
        costs = np.column_stack([costs, outside])
        n_groups = costs.shape[1] - 1
        labels = costs.argmin(axis=1)
        while True:
            sizes = np.bincount(labels, minlength=n_groups + 1)[:n_groups]
            small = np.flatnonzero((sizes > 0) & (sizes < self._size))
            if not len(small):
                return np.where(labels < n_groups, labels, -1)
            dissolved = small[sizes[small].argmin()]
            costs[:, dissolved] = np.inf
            moving = np.flatnonzero(labels == dissolved)
            labels[moving] = costs[moving].argmin(axis=1)
