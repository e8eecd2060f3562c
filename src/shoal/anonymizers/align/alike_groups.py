"""Alike groups: groups of at least k records that cost little to be brought pairwise within ε.

The cost of a group is a sum over items (:mod:`shoal.kernels.groups.group_costs`), so groups can be compared exactly.
Records are bisected along their principal axis again and again, which takes n·log n steps and makes similar records
adjacent; then records are moved and swapped between groups, within blocks of nearby groups and neighboring blocks, as
long as the total cost falls. Blocks are redrawn every round. Where sensitive ratings must spread, a group that lacks
spread is charged for it, more so every round; groups that still lack some in the end are merged
(:mod:`.sensitive_spread`). A few records are split in every possible way instead. On a scale of many points the search
itself uses a coarser one; the final costs of groups are computed on the original scale.
"""

from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.kernels.groups.group_costs import cheapest_split
from shoal.kernels.groups.regroup import regroup
from shoal.progress import stage

from .grouping_task import GroupingTask, costliest_groups, labels_of
from .sensitive_spread import SpreadDemand, merged_until_spread

__all__ = ["AlikeGroups", "alike_groups"]

_FEW = 10
"""The most records that are split in every possible way."""
_SOME, _STARTS = 200, 24
"""With at most ``_SOME`` records, the search begins ``_STARTS`` times from a random order, and the best is kept."""
_BLOCK = 64
_PASSES = 3
_SLIGHT = 0.002
"""The share of the cost below which another round does not pay."""
_PRICE = 4
"""The initial charge, in costs of an average group, for lacking all the spread of one sensitive issue."""
_MORE = 2
"""The most additional rounds while groups lack spread."""
_NEVER = 1e18
_NO_AMOUNTS, _NO_NEEDS = np.zeros((0, 1), np.int64), np.zeros((0, 5), np.float64)


@dataclass(frozen=True, eq=False)
class AlikeGroups:
    """The group 0, 1, … of each record, −1 for none, and the cost of each group."""

    labels: np.ndarray
    costs: np.ndarray

    def only(self, kept: np.ndarray) -> "AlikeGroups":
        """Return the groups of a mask, renumbered."""
        return AlikeGroups(np.where(kept, np.cumsum(kept) - 1, -1)[self.labels], self.costs[kept])

    def without_costliest(self, max_withheld: int) -> "AlikeGroups":
        """Dissolve the groups of the highest cost, of at most ``max_withheld`` records together."""
        kept = np.ones(len(self.costs), bool)
        kept[costliest_groups(self.labels, self.costs, max_withheld)] = False
        return self.only(kept)


def alike_groups(
    task: GroupingTask,
    generator: np.random.Generator,
    rounds: int,
    alone: np.ndarray | None = None,
    spread: SpreadDemand | None = None,
) -> AlikeGroups:
    """Group all records of a task, of which there are at least ``task.size``.

    With ``alone``, the cost of each record outside groups, records for which that is cheaper are in no group. With
    ``spread``, the sensitive ratings of every group spread enough; where no such groups are found, it is refused.
    """
    return _Search(task, generator, spread).best(rounds, alone)


class _Search:
    def __init__(self, task: GroupingTask, generator: np.random.Generator, spread: SpreadDemand | None) -> None:
        self._task, self._coarse, self._size = task, task.coarser(), task.size
        self._generator, self._spread = generator, spread
        self._needs = (_NO_AMOUNTS, _NO_NEEDS) if spread is None else (spread.amounts, spread.kernel_rows)

    def best(self, rounds: int, alone: np.ndarray | None) -> AlikeGroups:
        n = len(self._task)
        if n <= _FEW and (n >= 2 * self._size or alone is not None):
            return self._best_of_all(alone)
        found = self._found(rounds)
        return found if alone is None else found.only(found.costs < np.bincount(found.labels, alone))

    def _found(self, rounds: int) -> AlikeGroups:
        n = len(self._task)
        if n < 2 * self._size:
            return self._merged(self._groups(np.arange(n), np.array([0, n])))
        starts = _STARTS if n <= _SOME else 1
        found = [self._merged(self._searched(self._start(begin), rounds)) for begin in range(starts)]
        return min(found, key=lambda groups: float(groups.costs.sum()))

    def _best_of_all(self, alone: np.ndarray | None) -> AlikeGroups:
        """Return the cheapest of all partitions of a few records."""
        n = len(self._task)
        masks = np.arange(1, 2**n)
        inside = ((masks[:, None] >> np.arange(n)) & 1).astype(bool)
        begins = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
        each = self._task.group_costs(np.nonzero(inside)[1], begins)
        valid = inside.sum(axis=1) >= self._size
        if self._spread is not None:
            valid &= self._spread.reached(inside @ self._spread.amounts)
        allowed = np.where(valid, each, np.inf)
        if alone is not None:
            allowed[2 ** np.arange(n) - 1] = alone
        allowed[-1] = min(allowed[-1], _NEVER)  # some split must be allowed
        labels, cost = cheapest_split(np.concatenate([[np.inf], allowed]))
        found = self._groups(*group_offsets(labels))
        if self._spread is not None and cost >= _NEVER:
            self._spread.refuse(self._spread.totals(found.labels))
        return found.only(np.bincount(found.labels) >= self._size)

    def _groups(self, order: np.ndarray, begins: np.ndarray) -> AlikeGroups:
        return AlikeGroups(labels_of(order, begins, len(order)), self._task.group_costs(order, begins))

    def _start(self, attempt: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the records in an order, and the offsets of groups in it."""
        n = len(self._task)
        if attempt:  # with fewer groups than there could be, some have more records than they need, and can give
            most, fewest = n // self._size, -(-n // (2 * self._size - 1))
            groups = int(self._generator.integers((fewest + most) // 2, most + 1))
            return self._generator.permutation(n), np.arange(groups + 1) * n // groups
        return self._task.bisected(self._size)

    def _searched(self, start: tuple[np.ndarray, np.ndarray], rounds: int) -> AlikeGroups:
        """Move and swap records between groups until that hardly pays any more."""
        order, begins = start
        sizes = np.diff(begins)
        members = np.zeros((len(sizes), 2 * self._size - 1), np.int64)
        members[np.arange(members.shape[1]) < sizes[:, None]] = order
        coarse = self._coarse
        costs = coarse.group_costs(order, begins)
        price = _PRICE * max(float(costs.mean()), 1.0)
        with stage("moving records between groups", rounds) as progress:
            for number in range(rounds + (_MORE if rounds and self._spread else 0)):
                before = float(costs.sum())
                groups = members, sizes, costs, *self._blocks(members, number)
                saved = regroup(*coarse.rows, *groups, self._size, *coarse.terms, *self._needs, price, _PASSES)
                progress.advance()
                price *= 2
                little = float(saved.sum()) <= _SLIGHT * before or number + 1 >= rounds
                if little and not self._is_lacking(members, sizes):
                    break
        return self._groups(*_listed(members, sizes))

    def _is_lacking(self, members: np.ndarray, sizes: np.ndarray) -> bool:
        """Decide whether some group spreads its sensitive ratings too little."""
        if self._spread is None:
            return False
        labels = labels_of(*_listed(members, sizes), len(self._task))
        return not self._spread.reached(self._spread.totals(labels)).all()

    def _merged(self, found: AlikeGroups) -> AlikeGroups:
        """Merge groups that still spread too little."""
        if self._spread is None:
            return found
        labels = merged_until_spread(self._task, found.labels, self._spread)
        return found if labels is found.labels else self._groups(*group_offsets(labels))

    def _blocks(self, members: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Put groups into blocks: first in their order, then by bisection with random weights."""
        n = len(members)
        if number < 2 or n <= _BLOCK:
            return np.arange(n), np.unique(np.concatenate([[0], np.arange(number * _BLOCK // 2, n, _BLOCK), [n]]))
        weights = self._generator.exponential(size=self._task.shape[0])
        rows, begins = self._task.bisected(_BLOCK // 2, members[:, 0], weights)
        group_of = np.empty(len(self._task), np.int64)
        group_of[members[:, 0]] = np.arange(n)
        return group_of[rows], begins


def _listed(members: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the members of all groups one after another, and the offsets of groups."""
    return members[np.arange(members.shape[1]) < sizes[:, None]], np.concatenate([[0], np.cumsum(sizes)])
