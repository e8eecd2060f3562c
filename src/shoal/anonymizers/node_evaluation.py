"""What is found at a node of the lattice."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.evidence import PrivacyHashTable
from shoal.models import PrivacyModel

from .crowded_projections import Projected, crowded_projections
from .node_loss import NodeLoss
from .node_people import NodePeople

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
    """What it costs; infinity where the promises are broken."""
    least: float
    """What nodes above it cost at least."""


class NodeEvaluation:
    """Judges nodes, each on a table that is rolled up from the smallest held one of a node below it."""

    def __init__(
        self,
        base: PrivacyHashTable,
        models: Sequence[PrivacyModel],
        spare: int,
        loss: NodeLoss,
        people: NodePeople | None = None,
    ) -> None:
        """Records are counted in the tables of nodes; promises count ``people`` where these are not the same."""
        self.loss, self._people = loss, people
        self._models, self.spare = tuple(models), spare
        self._tables = [base]
        self._nodes = np.array([base.node], np.uint8)
        self._sizes = np.array([len(base)])
        self.found: dict[tuple[int, ...], EvaluatedNode] = {}
        """Every node looked at so far."""

    @property
    def heights(self) -> tuple[int, ...]:
        """The highest node."""
        return tuple(hierarchy.height for hierarchy in self._tables[0].maps.hierarchies)

    def projected(self) -> Projected:
        """Give what a few attributes alone say of all nodes."""
        fewest = max((model.fewest_records for model in self._models if model.grow_safe), default=1)
        return crowded_projections(self._tables[0], fewest, self.spare)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Look at a node, once."""
        node = tuple(node)
        if node not in self.found:
            self.found[node] = self._judged(self._table(node))
        return self.found[node]

    def _judged(self, table: PrivacyHashTable) -> EvaluatedNode:
        counts = table.counts if self._people is None else self._people.counts(table)
        violating = np.zeros(len(table), bool)
        for model in self._models:
            violating |= model.judge(counts).violating
        withheld = int(table.counts.sizes[violating].sum())
        keeps = withheld <= self.spare and withheld < table.records
        if keeps and withheld and self._people is not None:
            keeps = self._people.are_spared(table, violating, self.spare)
        cost = self.loss.of(table, violating) if keeps else math.inf
        return EvaluatedNode(table.node, keeps, withheld, len(table), cost, self.loss.least(table))

    def _table(self, node: tuple[int, ...]) -> PrivacyHashTable:
        """Roll up the smallest table of a node below, and hold what comes of it if there is room."""
        below = np.flatnonzero((self._nodes <= np.array(node, np.uint8)).all(axis=1))
        source = self._tables[below[np.argmin(self._sizes[below])]]
        if source.node == node:
            return source
        table = source.rolled_up(node)
        self._hold(table)
        return table

    def _hold(self, table: PrivacyHashTable) -> None:
        """Hold a table; if there are too many, let the largest go, but never the first, from which all can be made."""
        self._tables.append(table)
        self._nodes = np.vstack([self._nodes, np.array(table.node, np.uint8)])
        self._sizes = np.append(self._sizes, len(table))
        while self._sizes[1:].sum() * len(table.node) > _HELD:
            largest = 1 + int(np.argmax(self._sizes[1:]))
            del self._tables[largest]
            self._nodes, self._sizes = np.delete(self._nodes, largest, axis=0), np.delete(self._sizes, largest)
