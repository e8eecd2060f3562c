"""What is found at a node of the lattice."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.evidence import PrivacyHashTable
from shoal.models import PrivacyModel

from .node_loss import NodeLoss

__all__ = ["EvaluatedNode", "NodeEvaluation"]

_HELD = 1 << 26
"""So many labels are held in tables of nodes, at most."""


@dataclass(frozen=True)
class EvaluatedNode:
    """What was found at a node."""

    node: tuple[int, ...]
    keeps: bool
    """Whether the promises are kept with no more records withheld than allowed."""
    withheld: int
    groups: int
    """How many groups there are, the withheld ones included."""
    loss: float
    least: float
    """What nodes above it cost at least."""


class NodeEvaluation:
    """Judges nodes, each on a table that is rolled up from the smallest held one of a node below it."""

    def __init__(self, base: PrivacyHashTable, models: Sequence[PrivacyModel], spare: int, loss: NodeLoss) -> None:
        self.loss = loss
        self._models, self._spare = tuple(models), spare
        self._tables = [base]
        self._nodes = np.array([base.node], np.uint8)
        self._sizes = np.array([len(base)])
        self.found: dict[tuple[int, ...], EvaluatedNode] = {}
        """Every node looked at so far."""

    @property
    def heights(self) -> tuple[int, ...]:
        """The highest node."""
        return tuple(hierarchy.height for hierarchy in self._tables[0].maps.hierarchies)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Look at a node, once."""
        node = tuple(node)
        if node not in self.found:
            self.found[node] = self._judged(self._table(node))
        return self.found[node]

    def _judged(self, table: PrivacyHashTable) -> EvaluatedNode:
        violating = np.zeros(len(table), bool)
        for model in self._models:
            violating |= model.judge(table.counts).violating
        withheld = int(table.counts.sizes[violating].sum())
        keeps = withheld <= self._spare and withheld < table.records
        return EvaluatedNode(table.node, keeps, withheld, len(table), *self.loss.of(table, violating))

    def _table(self, node: tuple[int, ...]) -> PrivacyHashTable:
        """Roll up the smallest table of a node below, and hold what comes of it if there is room."""
        below = np.flatnonzero((self._nodes <= np.array(node, np.uint8)).all(axis=1))
        source = self._tables[below[np.argmin(self._sizes[below])]]
        if source.node == node:
            return source
        table = source.rolled_up(node)
        if (self._sizes.sum() + len(table)) * len(node) < _HELD:
            self._tables.append(table)
            self._nodes = np.vstack([self._nodes, np.array(node, np.uint8)])
            self._sizes = np.append(self._sizes, len(table))
        return table
