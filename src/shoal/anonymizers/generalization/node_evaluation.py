"""Evaluation of a node of the lattice: whether it keeps the promises, what it costs, and what follows for others."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.promises import are_kept_upward
from shoal.evidence import GroupCounts, PrivacyHashTable
from shoal.models import PrivacyModel

from .crowded_projections import CountedTable, Projected, crowded_projections
from .node_loss import LowestNode, NodeLoss
from .node_sums import NodeSums
from .table_lattice import NodePeople
from .withheld_groups import broken_groups, withheld_groups

__all__ = ["EvaluatedNode", "JudgedNode", "LowestTable", "NodeEvaluation"]

_HELD = 1 << 26
"""The most labels that are held in tables of nodes."""


@dataclass(frozen=True)
class EvaluatedNode:
    """The result of evaluating a node."""

    node: tuple[int, ...]
    withheld: int
    """The number of records in groups that break a promise; a lower bound where the node breaks the promises."""
    groups: int
    """The number of groups, including withheld ones."""
    cost: Fraction | None
    """The exact cost; None where the promises are broken."""
    least: float
    """A lower bound on the cost of every node above."""
    keeps_above: bool
    """Whether every node above is known to keep the promises too."""
    breaks_below: bool
    """Whether every node below is known to break the promises."""
    withheld_below: int
    """A lower bound on the number of records that a node below withholds."""

    @property
    def keeps(self) -> bool:
        """Whether the promises are kept with no more records withheld than allowed."""
        return self.cost is not None

    @cached_property
    def loss(self) -> float:
        """The cost as a double; infinity where the promises are broken."""
        return float("inf") if self.cost is None else float(self.cost)

    @property
    def rank(self) -> tuple[Fraction, int, tuple[int, ...]]:
        """The sort key of nodes that keep the promises, the best first.

        Ties in cost go to the node whose levels have the least sum, and then to the first in the order of levels,
        column by column: no node below it costs the same.
        """
        assert self.cost is not None, "only nodes that keep the promises are ranked"
        return self.cost, sum(self.node), self.node


class LowestTable(LowestNode, CountedTable, Protocol):
    """The table of the lowest node, wherever it is."""


@dataclass(frozen=True)
class JudgedNode:
    """Which groups of a node must be withheld, in numbers, and what follows for the nodes below it."""

    sums: NodeSums
    may_withhold: bool
    """Whether so much may be withheld."""
    breaks_below: bool
    """Whether every node below is known to break the promises; without meaning where promises are kept upward."""
    withheld_below: int
    """A lower bound on the number of records that a node below withholds; likewise."""


class NodeEvaluation:
    """Evaluates nodes, each on a table that is rolled up from the smallest table held of a node below it."""

    def __init__(
        self,
        base: PrivacyHashTable | LowestTable,
        models: Sequence[PrivacyModel],
        max_withheld: Allowance,
        loss: NodeLoss,
        people: NodePeople | None = None,
        *,
        in_people: bool = False,
    ) -> None:
        """Count records in the tables of nodes, and ``people`` where a person may have several records.

        ``base`` is the table of the lowest node. It may be elsewhere: then who judges nodes brings tables here, or
        counts people there (``in_people``).
        """
        in_people = in_people or people is not None
        self.loss, self._people = loss, people
        self.models, self.max_withheld = tuple(models), max_withheld
        self._records = base.records
        self.upward = are_kept_upward(models, withholding=max_withheld.records > 0, in_people=in_people)
        """Whether every node above one that keeps the promises keeps them too."""
        self._merge_safe = not in_people and all(model.merge_safe for model in models)
        self._base = base
        self._tables = [base] if isinstance(base, PrivacyHashTable) else []
        self.levels = np.min_scalar_type(max(self.heights, default=0))
        """The smallest data type that holds every level."""
        self._nodes = np.zeros((len(self._tables), len(self.heights)), self.levels)
        self._sizes = np.array([len(table) for table in self._tables], np.int64)
        self._fixed = len(self._tables)
        self.found: dict[tuple[int, ...], EvaluatedNode] = {}
        """Every node evaluated so far."""

    @property
    def heights(self) -> tuple[int, ...]:
        """The highest node."""
        return tuple(hierarchy.height for hierarchy in self._base.hierarchies)

    def projected(self) -> Projected:
        """Return the bounds on all nodes from projections on a few attributes."""
        fewest = max((model.fewest_records for model in self.models), default=1)
        return crowded_projections(self._base, fewest, self.max_withheld.records)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Evaluate a node, once."""
        node = tuple(node)
        if node not in self.found:
            self.found[node] = self._evaluated(self.judged(node))
        return self.found[node]

    def _evaluated(self, judged: JudgedNode) -> EvaluatedNode:
        sums, withheld = judged.sums, judged.sums.withheld
        keeps = withheld < self._records and judged.may_withhold
        return EvaluatedNode(
            sums.node,
            withheld,
            sums.groups,
            self.loss.of(sums) if keeps else None,
            self.loss.least(sums),
            keeps and (self.upward or (self._merge_safe and not withheld)),
            not keeps if self.upward else judged.breaks_below,
            withheld if self.upward else judged.withheld_below,
        )

    def judged(self, node: tuple[int, ...]) -> JudgedNode:
        """Judge the promises on the groups of a node."""
        return self.judged_table(self._table(node))

    def judged_table(self, table: PrivacyHashTable) -> JudgedNode:
        """Judge the promises on the groups of a table in memory."""
        counts = table.counts if self._people is None else self._people.counts(table)
        broken = broken_groups(counts, self.models)
        gone = withheld_groups(counts, broken, self.models, lambda groups: self._may_withhold(table, groups))
        may_withhold = self._may_withhold(table, gone)
        breaks_below, withheld_below = (False, 0) if self.upward else self._below(table, counts, broken)
        return JudgedNode(NodeSums.of(table, gone, labels=may_withhold), may_withhold, breaks_below, withheld_below)

    def _may_withhold(self, table: PrivacyHashTable, gone: np.ndarray) -> bool:
        """Decide whether the groups of a mask may be withheld."""
        if not gone.any():
            return True
        if table.counts.sizes[gone].sum() > self.max_withheld.records:
            return False
        return self._people is None or self._people.may_withhold(table, gone, self.max_withheld)

    def _below(self, table: PrivacyHashTable, counts: GroupCounts, broken: np.ndarray) -> tuple[bool, int]:
        """Decide whether every node below breaks the promises; return also the least number of records it withholds."""
        if not broken.any():
            return False, 0
        if self._people is None:
            fewest = int(np.max([model.fewest_broken(counts) for model in self.models], axis=0).sum())
            return fewest > self.max_withheld.records, fewest
        # the parts of a group may have people in common, so only whole groups are sure to break a promise
        hopeless = np.any([model.hopeless(counts) for model in self.models], axis=0)
        return not self._may_withhold(table, hopeless), int(table.counts.sizes[hopeless].sum())

    def has_table_below(self, node: tuple[int, ...]) -> bool:
        """Tell whether a table is held from which that of a node can be rolled up."""
        return bool((self._nodes <= np.array(node, self.levels)).all(axis=1).any())

    def _table(self, node: tuple[int, ...]) -> PrivacyHashTable:
        """Roll up the smallest table held of a node below, and hold the result if there is room."""
        below = np.flatnonzero((self._nodes <= np.array(node, self.levels)).all(axis=1))
        source = self._tables[below[np.argmin(self._sizes[below])]]
        if source.node == node:
            return source
        table = source.rolled_up(node)
        self.hold(table)
        return table

    @property
    def n_fixed_groups(self) -> int:
        """How many groups the tables have that are never dropped."""
        return int(self._sizes[: self._fixed].sum())

    def hold(self, table: PrivacyHashTable, *, fixed: bool = False) -> None:
        """Hold a table; if there is no room, drop the largest, but never one that is ``fixed``, such as the base."""
        place = self._fixed if fixed else len(self._tables)
        self._tables.insert(place, table)
        self._nodes = np.insert(self._nodes, place, table.node, axis=0)
        self._sizes = np.insert(self._sizes, place, len(table))
        self._fixed += fixed
        while self._sizes[self._fixed :].sum() * len(table.node) > _HELD:
            largest = self._fixed + int(np.argmax(self._sizes[self._fixed :]))
            del self._tables[largest]
            self._nodes, self._sizes = np.delete(self._nodes, largest, axis=0), np.delete(self._sizes, largest)
