"""Evaluation of a node of the lattice: whether it keeps the promises, what it costs, and what follows for others."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.promises import are_kept_upward
from shoal.evidence import GroupCounts, PrivacyHashTable
from shoal.models import PrivacyModel

from .crowded_projections import Projected, crowded_projections
from .node_loss import NodeLoss
from .table_lattice import NodePeople
from .withheld_groups import broken_groups, withheld_groups

__all__ = ["EvaluatedNode", "NodeEvaluation"]

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


class NodeEvaluation:
    """Evaluates nodes, each on a table that is rolled up from the smallest table held of a node below it."""

    def __init__(
        self,
        base: PrivacyHashTable,
        models: Sequence[PrivacyModel],
        max_withheld: Allowance,
        loss: NodeLoss,
        people: NodePeople | None = None,
    ) -> None:
        """Count records in the tables of nodes, and ``people`` where a person may have several records."""
        self.loss, self._people = loss, people
        self._models, self.max_withheld = tuple(models), max_withheld
        self.upward = are_kept_upward(models, withholding=max_withheld.records > 0, in_people=people is not None)
        """Whether every node above one that keeps the promises keeps them too."""
        self._merge_safe = people is None and all(model.merge_safe for model in models)
        self._tables = [base]
        self.levels = np.min_scalar_type(max(self.heights, default=0))
        """The smallest data type that holds every level."""
        self._nodes = np.array([base.node], self.levels)
        self._sizes = np.array([len(base)])
        self.found: dict[tuple[int, ...], EvaluatedNode] = {}
        """Every node evaluated so far."""

    @property
    def heights(self) -> tuple[int, ...]:
        """The highest node."""
        return tuple(hierarchy.height for hierarchy in self._tables[0].maps.hierarchies)

    def projected(self) -> Projected:
        """Return the bounds on all nodes from projections on a few attributes."""
        fewest = max((model.fewest_records for model in self._models), default=1)
        return crowded_projections(self._tables[0], fewest, self.max_withheld.records)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Evaluate a node, once."""
        node = tuple(node)
        if node not in self.found:
            self.found[node] = self._judged(self._table(node))
        return self.found[node]

    def _judged(self, table: PrivacyHashTable) -> EvaluatedNode:
        counts = table.counts if self._people is None else self._people.counts(table)
        broken = broken_groups(counts, self._models)
        gone = withheld_groups(counts, broken, self._models, lambda groups: self._may_withhold(table, groups))
        withheld = int(table.counts.sizes[gone].sum())
        keeps = withheld < table.records and self._may_withhold(table, gone)
        if self.upward:
            breaks_below, withheld_below = not keeps, withheld
        else:
            breaks_below, withheld_below = self._below(table, counts, broken)
        return EvaluatedNode(
            table.node,
            withheld,
            len(table),
            self.loss.of(table, gone) if keeps else None,
            self.loss.least(table),
            keeps and (self.upward or (self._merge_safe and not withheld)),
            breaks_below,
            withheld_below,
        )

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
            fewest = int(np.max([model.fewest_broken(counts) for model in self._models], axis=0).sum())
            return fewest > self.max_withheld.records, fewest
        # the parts of a group may have people in common, so only whole groups are sure to break a promise
        hopeless = np.any([model.hopeless(counts) for model in self._models], axis=0)
        return not self._may_withhold(table, hopeless), int(table.counts.sizes[hopeless].sum())

    def _table(self, node: tuple[int, ...]) -> PrivacyHashTable:
        """Roll up the smallest table held of a node below, and hold the result if there is room."""
        below = np.flatnonzero((self._nodes <= np.array(node, self.levels)).all(axis=1))
        source = self._tables[below[np.argmin(self._sizes[below])]]
        if source.node == node:
            return source
        table = source.rolled_up(node)
        self._hold(table)
        return table

    def _hold(self, table: PrivacyHashTable) -> None:
        """Hold a table; if there is no room, drop the largest, but never the first, from which all are rolled up."""
        self._tables.append(table)
        self._nodes = np.vstack([self._nodes, np.array(table.node, self.levels)])
        self._sizes = np.append(self._sizes, len(table))
        while self._sizes[1:].sum() * len(table.node) > _HELD:
            largest = 1 + int(np.argmax(self._sizes[1:]))
            del self._tables[largest]
            self._nodes, self._sizes = np.delete(self._nodes, largest, axis=0), np.delete(self._sizes, largest)
