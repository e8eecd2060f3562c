"""What is found at a node of the lattice."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.anonymizers.promises import are_kept_upward
from shoal.evidence import GroupCounts, NeedGroups, PrivacyHashTable
from shoal.models import PrivacyModel

from .crowded_projections import Projected, crowded_projections
from .node_loss import NodeLoss
from .table_lattice import NodePeople

__all__ = ["EvaluatedNode", "NodeEvaluation"]

_HELD = 1 << 26
"""So many labels are held in tables of nodes, at most."""


@dataclass(frozen=True)
class EvaluatedNode:
    """What was found at a node."""

    node: tuple[int, ...]
    withheld: int
    """Records in groups that break a promise; of a node that breaks the promises at least so many."""
    groups: int
    """How many groups there are, the withheld ones included."""
    cost: Fraction | None
    """What it costs, exactly; None where the promises are broken."""
    least: float
    """What nodes above it cost at least."""
    keeps_above: bool
    """Whether it is known that every node above it keeps the promises too."""
    breaks_below: bool
    """Whether it is known that every node below it breaks the promises."""
    withheld_below: int
    """Records that every node below it withholds at least."""

    @property
    def keeps(self) -> bool:
        """Whether the promises are kept with no more records withheld than allowed."""
        return self.cost is not None

    @cached_property
    def loss(self) -> float:
        """What it costs; infinity where the promises are broken."""
        return float("inf") if self.cost is None else float(self.cost)

    @property
    def rank(self) -> tuple[Fraction, int, tuple[int, ...]]:
        """What orders the nodes that keep the promises, the best first.

        Of equal cost the one whose levels add up to the least is taken, and of those the first in the order of their
        levels, column by column: no node below it costs the same.
        """
        assert self.cost is not None, "only nodes that keep the promises are ranked"
        return self.cost, sum(self.node), self.node


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
        self.upward = are_kept_upward(models, spare, in_people=people is not None)
        """Whether every node above one that keeps the promises keeps them too."""
        self._joins_freely = people is None and all(model.merge_safe for model in models)
        self._compares = any(isinstance(model.need, NeedGroups) and model.need.overall for model in models)
        self._tables = [base]
        self.levels = np.min_scalar_type(max(self.heights, default=0))
        """The type of numbers in which every level can be written."""
        self._nodes = np.array([base.node], self.levels)
        self._sizes = np.array([len(base)])
        self.found: dict[tuple[int, ...], EvaluatedNode] = {}
        """Every node looked at so far."""

    @property
    def heights(self) -> tuple[int, ...]:
        """The highest node."""
        return tuple(hierarchy.height for hierarchy in self._tables[0].maps.hierarchies)

    def projected(self) -> Projected:
        """Return what a few attributes alone say of all nodes."""
        fewest = max((model.fewest_records for model in self._models), default=1)
        return crowded_projections(self._tables[0], fewest, self.spare)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Look at a node, once."""
        node = tuple(node)
        if node not in self.found:
            self.found[node] = self._judged(self._table(node))
        return self.found[node]

    def _judged(self, table: PrivacyHashTable) -> EvaluatedNode:
        counts = table.counts if self._people is None else self._people.counts(table)
        broken = self._broken(counts)
        gone = self._withheld(table, counts, broken)
        withheld = int(table.counts.sizes[gone].sum())
        keeps = withheld < table.records and self._are_spared(table, gone)
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
            keeps and (self.upward or (self._joins_freely and not withheld)),
            breaks_below,
            withheld_below,
        )

    def _broken(self, counts: GroupCounts) -> np.ndarray:
        """Return the mask of the groups that break a promise."""
        return np.any([model.judge(counts).violating for model in self._models], axis=0)

    def _withheld(self, table: PrivacyHashTable, counts: GroupCounts, broken: np.ndarray) -> np.ndarray:
        """Return the mask of the groups that a release would leave out.

        Where groups are compared with all records, those that are left may break the promise when others are gone, and
        are left out as well, until nothing breaks or too many are gone.
        """
        gone = broken.copy()
        while self._compares and broken.any() and not gone.all() and self._are_spared(table, gone):
            broken = np.zeros_like(gone)
            broken[~gone] = self._broken(counts.without(gone))
            gone |= broken
        return gone

    def _are_spared(self, table: PrivacyHashTable, gone: np.ndarray) -> bool:
        """Tell whether the records of some groups may be withheld."""
        if not gone.any():
            return True
        if table.counts.sizes[gone].sum() > self.spare:
            return False
        return self._people is None or self._people.are_spared(table, gone, self.spare)

    def _below(self, table: PrivacyHashTable, counts: GroupCounts, broken: np.ndarray) -> tuple[bool, int]:
        """Tell whether every node below breaks the promises, and how many records each withholds at least."""
        if not broken.any():
            return False, 0
        if self._people is None:
            fewest = int(np.max([model.fewest_broken(counts) for model in self._models], axis=0).sum())
            return fewest > self.spare, fewest
        # people are not shared out among the parts of a group, so only whole groups are sure to break a promise
        hopeless = np.any([model.hopeless(counts) for model in self._models], axis=0)
        return not self._are_spared(table, hopeless), int(table.counts.sizes[hopeless].sum())

    def _table(self, node: tuple[int, ...]) -> PrivacyHashTable:
        """Roll up the smallest table of a node below, and hold what comes of it if there is room."""
        below = np.flatnonzero((self._nodes <= np.array(node, self.levels)).all(axis=1))
        source = self._tables[below[np.argmin(self._sizes[below])]]
        if source.node == node:
            return source
        table = source.rolled_up(node)
        self._hold(table)
        return table

    def _hold(self, table: PrivacyHashTable) -> None:
        """Hold a table; if there are too many, let the largest go, but never the first, from which all can be made."""
        self._tables.append(table)
        self._nodes = np.vstack([self._nodes, np.array(table.node, self.levels)])
        self._sizes = np.append(self._sizes, len(table))
        while self._sizes[1:].sum() * len(table.node) > _HELD:
            largest = 1 + int(np.argmax(self._sizes[1:]))
            del self._tables[largest]
            self._nodes, self._sizes = np.delete(self._nodes, largest, axis=0), np.delete(self._sizes, largest)
