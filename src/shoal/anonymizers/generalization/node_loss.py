"""Information loss of a node of the lattice, and lower bounds on it before the node is evaluated."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Protocol

import numpy as np

from shoal.data import Hierarchy

from .node_sums import NodeSums

__all__ = ["LossName", "LowestNode", "NodeLoss", "leaf_costs", "node_loss"]


LossName = Literal["loss-mean", "discernability", "height", "precision", "average-group-size"]


class NodeLoss(Protocol):
    """A cost for each node; the smaller, the better. Its bounds never fall on the way up the lattice.

    The cost of a node is exact, so that equal costs are distinguished from nearly equal ones. Bounds are doubles.
    """

    exact: bool
    """Whether the bound of a node is its cost if no record is withheld."""

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:
        """Return a lower bound for each node, a line of levels; its squared group sizes sum to at least ``squares``."""
        ...

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Return a lower bound for each node if it withholds at least ``withheld`` records."""
        ...

    def alone(self, node: Sequence[int]) -> Fraction:
        """Return a lower bound from the levels of a node alone; with ``exact``, its cost if no record is withheld."""
        ...

    def least(self, sums: NodeSums) -> float:
        """Return a lower bound for a node and all nodes above it."""
        ...

    def of(self, sums: NodeSums) -> Fraction:
        """Return the cost of a node without the groups that it withholds."""
        ...


class LowestNode(Protocol):
    """What losses are told of the lowest node, the records as they are."""

    @property
    def hierarchies(self) -> Sequence[Hierarchy]:
        """The hierarchy of each attribute."""
        ...

    @property
    def records(self) -> int:
        """How many records there are."""
        ...

    def label_counts(self) -> Sequence[np.ndarray]:
        """Return by attribute how many records have each of its values."""
        ...


def node_loss(name: LossName, base: LowestNode, weights: Sequence[Fraction]) -> NodeLoss:
    """Return a loss by its name.

    ``base`` is the table of the lowest node; ``weights`` are those of the attributes in losses that sum over them.
    """
    hierarchies = base.hierarchies
    if name == "loss-mean":
        return _OfLabels(base, [_by_leaves(each) for each in hierarchies], weights)
    if name == "precision":
        return _OfLabels(base, [_by_level(each) for each in hierarchies], weights)
    if name == "height":
        return _Height(weights)
    return _Discernability(base) if name == "discernability" else _AverageGroupSize(base)


_Costs = tuple[list[np.ndarray], int]
"""The cost of each label, by level, as an integer numerator, and the common denominator."""


def _by_leaves(hierarchy: Hierarchy) -> _Costs:
    """Return the share of the other values that each label covers too."""
    return [leaves.astype(np.int64) - 1 for leaves in hierarchy.leaves], max(hierarchy.n_leaves - 1, 1)


def _by_level(hierarchy: Hierarchy) -> _Costs:
    """Return the level of each label as a share of the height."""
    levels = [np.full(len(labels), level, np.int64) for level, labels in enumerate(hierarchy.labels)]
    return levels, max(hierarchy.height, 1)


class _OfLabels:
    """The weighted mean over attributes of the mean cost of labels over records; a withheld record costs 1."""

    exact = True

    def __init__(self, base: LowestNode, costs: Sequence[_Costs], weights: Sequence[Fraction]) -> None:
        self._records = base.records
        self._costs = [by_level for by_level, _ in costs]
        total = sum(map(Fraction, weights))
        # the cost of one unit of the numerator, summed over all records
        self._units = [Fraction(each) / total / whole for each, (_, whole) in zip(weights, costs, strict=True)]
        self._dearest = [
            np.array([float(unit * int(each.max(initial=0))) for each in by_level])
            for unit, by_level in zip(self._units, self._costs, strict=True)
        ]
        # exact sums by attribute and level: they do not depend on the other attributes
        self._sums = [
            [
                self._units[i] * int(by_level[hierarchy.maps[level]] @ counts.astype(np.int64))
                for level, by_level in enumerate(self._costs[i])
            ]
            for i, (hierarchy, counts) in enumerate(zip(base.hierarchies, base.label_counts(), strict=True))
        ]
        self._means = [np.array([float(each / self._records) for each in sums]) for sums in self._sums]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return _summed(nodes, self._means)

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        return _summed(nodes, self._means) + (1 - _summed(nodes, self._dearest)) * (withheld / self._records)

    def alone(self, node: Sequence[int]) -> Fraction:
        return sum((sums[level] for sums, level in zip(self._sums, node, strict=True)), Fraction(0)) / self._records

    def least(self, sums: NodeSums) -> float:
        return float(self.alone(sums.node))

    def of(self, sums: NodeSums) -> Fraction:
        if not sums.withheld:
            return self.alone(sums.node)
        gone = Fraction(sums.withheld)
        for i, counts in enumerate(sums.withheld_labels):
            gone -= self._units[i] * int(self._costs[i][sums.node[i]] @ counts.astype(np.int64))
        return self.alone(sums.node) + gone / self._records


def _summed(nodes: np.ndarray, by_level: Sequence[np.ndarray]) -> np.ndarray:
    out = np.zeros(len(nodes))
    for i, costs in enumerate(by_level):
        out += costs[nodes[:, i]]
    return out


class _Height:
    """The weighted sum of the levels; withheld records do not count."""

    exact = True

    def __init__(self, weights: Sequence[Fraction]) -> None:
        self._weights = [Fraction(each) for each in weights]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return nodes @ np.array(self._weights, np.float64)

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:  # noqa: ARG002
        return self.bounds(nodes, np.zeros(0))

    def alone(self, node: Sequence[int]) -> Fraction:
        return sum((each * level for each, level in zip(self._weights, node, strict=True)), Fraction(0))

    def least(self, sums: NodeSums) -> float:
        return float(self.alone(sums.node))

    def of(self, sums: NodeSums) -> Fraction:
        return self.alone(sums.node)


class _OfGroups:
    """A loss that depends on groups, about which levels alone say nothing."""

    exact = False

    def __init__(self, base: LowestNode) -> None:
        self._records = base.records

    def alone(self, node: Sequence[int]) -> Fraction:  # noqa: ARG002
        return Fraction(0)


class _Discernability(_OfGroups):
    """The sum of the squared group sizes; a withheld record counts as much as the whole table has records."""

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return squares

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        return np.full(len(nodes), float(withheld) * self._records)

    def least(self, sums: NodeSums) -> float:
        return float(sums.squares)

    def of(self, sums: NodeSums) -> Fraction:
        return Fraction(sums.squares - sums.withheld_squares + sums.withheld * self._records)


class _AverageGroupSize(_OfGroups):
    """The number of records divided by the number of groups; withheld records count as one group."""

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return np.zeros(len(nodes))

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:  # noqa: ARG002
        return np.zeros(len(nodes))

    def least(self, sums: NodeSums) -> float:
        return self._records / max(sums.groups, 1)

    def of(self, sums: NodeSums) -> Fraction:
        groups = sums.groups - sums.withheld_groups + bool(sums.withheld_groups)
        return Fraction(self._records, max(groups, 1))


def leaf_costs(hierarchy: Hierarchy) -> list[np.ndarray]:
    """Return the cost of each label, by level: the share of the other values that it covers too."""
    others = max(hierarchy.n_leaves - 1, 1)
    return [(leaves - 1) / others for leaves in hierarchy.leaves]
