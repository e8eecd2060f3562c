"""Local search for groups with less information loss, from given groups on.

In rounds, changes that lower the loss are proposed (:mod:`shoal.kernels.groups.group_moves`): a record moves to another
group, two records are exchanged, a group is cut in two, or a group is dissolved and its records go to others. The
changes of one round touch no group twice, so the promises judge all resulting groups in one call, and every change
whose groups all keep them is made. The loss never grows. A record is withheld, where that is allowed, only if the
others gain more than its cells lose.

Each record considers the groups to which it would add least. In large tables these are searched for among the groups
that were near to its own in the descent, so that a round takes time proportional to the number of records.
"""

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.kernels.groups.group_moves import apply_changes, nearest_groups, proposed_changes
from shoal.kernels.groups.partition import partition_of
from shoal.progress import stage

from .stretch_costs import StretchCosts

__all__ = ["LocalSearch"]

_NEAR = 12
"""The number of groups that each record considers."""

_REFRESHED = 3
"""The number of rounds after which near groups are searched for again."""

_COMPARISONS = 300_000_000
"""About the number of comparisons of a record with a group in one search for near groups."""

_LOOKS = 2_000_000
"""About the number of times a record is considered in all rounds together: large tables have fewer rounds."""

_WORTH_ANOTHER = 1e-4
"""The search ends when a round saves no more than this share of the loss."""


class LocalSearch:
    """Searches in one table."""

    def __init__(self, table: Microdata, costs: StretchCosts, promises: GroupPromises, order: np.ndarray) -> None:
        """Consider the records in ``order``, which is also that of ``costs``."""
        self._table, self._costs, self._promises, self._order = table, costs, promises, order

    def improved(self, groups: np.ndarray, rounds: int, allowance: Allowance) -> np.ndarray:
        """Return the group of each record after at most ``rounds`` rounds; withheld records are in group −1."""
        rounds = min(rounds, max(_LOOKS // len(groups), 1))
        run = _Run(self._table.persons, self._costs, self._promises, self._order, groups)
        with stage("searching for better groups", rounds) as progress:
            for number in range(rounds):
                if not run.round(allowance, anew=number % _REFRESHED == 0):
                    break
                progress.advance(1)
        return run.groups


class _Run:
    """One search; records are numbered by their place in ``order``."""

    def __init__(
        self,
        persons: np.ndarray | None,
        costs: StretchCosts,
        promises: GroupPromises,
        order: np.ndarray,
        groups: np.ndarray,
    ) -> None:
        self._persons = None if persons is None else persons[order]
        self._promises, self._order = promises, order
        self._positions, self._ruler = costs.positions, costs.ruler
        _, numbers = np.unique(groups[order], return_inverse=True)
        n_groups = int(numbers.max()) + 1
        n_groups += max(n_groups // 4, 16)  # room for groups that are cut in two
        self._partition = partition_of(numbers.ravel(), n_groups, self._positions, self._ruler)
        self._near = np.full((len(groups), _NEAR), -1, np.int32)
        self._looked, self._changed = np.zeros(len(groups), np.int64), np.ones(n_groups, np.int64)
        self._now = 1

    @property
    def groups(self) -> np.ndarray:
        """The group of each record of the table."""
        groups = np.empty_like(self._partition[0])
        groups[self._order] = self._partition[0]
        return groups

    @property
    def loss(self) -> float:
        """The loss of all records, withheld ones included."""
        sizes, prices = self._partition[4], self._partition[7]
        return float(sizes @ prices) + float(self._ruler[7][0]) * np.count_nonzero(self._partition[0] < 0)

    def round(self, allowed: Allowance, *, anew: bool) -> bool:
        """Make the changes of one round; return whether another is worth it."""
        if anew:
            self._look_around()
        before = self.loss
        withheld = self._partition[0] < 0
        left = allowed.records - int(np.count_nonzero(withheld))
        news = self._looked, self._changed, self._now
        everyone = np.arange(len(self._order))
        rows, groups, begins = proposed_changes(
            self._partition, self._positions, self._ruler, everyone, self._near, self._promises.fewest, left, news
        )
        kept = self._judged(rows, groups, begins) & self._affordable(rows, groups, begins, allowed)
        made = np.repeat(kept, np.diff(begins))
        refused, target = rows[~made], groups[~made]
        near = self._near[refused]
        self._near[refused] = np.where(near == target[:, None], -1, near)
        changed = np.zeros(len(self._changed), np.bool_)
        apply_changes(self._partition, self._positions, self._ruler, rows[made], groups[made], changed)
        self._now += 1
        self._changed[changed] = self._now
        return before - self.loss > _WORTH_ANOTHER * before

    def _look_around(self) -> None:
        """Find the groups that are near to each record with a loss."""
        group_of, prices = self._partition[0], self._partition[7]
        rows = np.flatnonzero((group_of >= 0) & (prices[group_of] > 0))
        width = max(_COMPARISONS // max(len(rows), 1), 4 * _NEAR)
        nearest_groups(self._partition, self._positions, self._ruler, rows, width, self._near)
        self._looked[:] = 0

    def _judged(self, rows: np.ndarray, groups: np.ndarray, begins: np.ndarray) -> np.ndarray:
        """Return the mask of the changes all of whose groups keep the promises."""
        n_changes = len(begins) - 1
        if self._promises.by_size or not n_changes:
            return np.ones(n_changes, bool)
        change_of = np.repeat(np.arange(n_changes), np.diff(begins))
        owner = np.full(len(self._changed), -1, np.int64)
        owner[self._partition[0][rows]] = change_of
        owner[groups[groups >= 0]] = change_of[groups >= 0]
        after = self._partition[0].copy()
        after[rows] = groups
        members = np.flatnonzero((after >= 0) & (owner[after] >= 0))
        touched, labels = np.unique(after[members], return_inverse=True)
        kept = self._promises.kept(self._order[members], labels.ravel(), len(touched))
        good = np.ones(n_changes, bool)
        good[owner[touched[~kept]]] = False
        return good

    def _affordable(self, rows: np.ndarray, groups: np.ndarray, begins: np.ndarray, allowed: Allowance) -> np.ndarray:
        """Return the mask of the changes, taken in order, that withhold records of no more people than allowed."""
        good = np.ones(len(begins) - 1, bool)
        persons = self._persons
        if persons is None:
            return good
        losing = set(persons[self._partition[0] < 0].tolist())
        for change in np.unique(np.searchsorted(begins, np.flatnonzero(groups < 0), side="right") - 1).tolist():
            here = slice(begins[change], begins[change + 1])
            also = losing | set(persons[rows[here][groups[here] < 0]].tolist())
            good[change] = len(also) <= allowed.people
            losing = also if good[change] else losing
        return good
