"""What a node of the lattice costs, and what it costs at least before it is looked at."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Protocol

import numpy as np

from shoal.data import Hierarchy
from shoal.evidence import PrivacyHashTable

__all__ = ["LossName", "NodeLoss", "leaf_costs", "node_loss"]


LossName = Literal["loss-mean", "discernability", "height", "precision", "average-group-size"]


class NodeLoss(Protocol):
    """A number for each node; the smaller, the better. Going up the lattice never lowers its bounds.

    What a node costs is exact, so that nodes that cost the same are told from those that cost nearly the same. Bounds
    of all nodes are doubles.
    """

    exact: bool
    """Whether bounds beforehand are what a node costs that withholds nobody."""

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:
        """Return for each node, a line of levels, the least it can cost; squares of group sizes add up to so much."""
        ...

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Return for each node the least it can cost if it withholds so many records or more."""
        ...

    def alone(self, node: Sequence[int]) -> Fraction:
        """Return the least that a node can cost, as its levels alone say: with exact bounds, what it costs by them."""
        ...

    def least(self, table: PrivacyHashTable) -> float:
        """Return the least that a node and those above it can cost."""
        ...

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:
        """Return what a node costs if these groups are withheld."""
        ...


def node_loss(name: LossName, base: PrivacyHashTable, weights: Sequence[Fraction]) -> NodeLoss:
    """Return a loss by its name.

    ``base`` is the table of the lowest node; ``weights`` say how much attributes count where a loss is made up of them.
    """
    hierarchies = base.maps.hierarchies
    if name == "loss-mean":
        return _OfLabels(base, [_by_leaves(each) for each in hierarchies], weights)
    if name == "precision":
        return _OfLabels(base, [_by_level(each) for each in hierarchies], weights)
    if name == "height":
        return _Height(weights)
    return _Discernability(base) if name == "discernability" else _AverageGroupSize(base)


_Costs = tuple[list[np.ndarray], int]
"""What each label costs, by level, in parts of a whole: whole numbers, and how many parts a whole has."""


def _by_leaves(hierarchy: Hierarchy) -> _Costs:
    """Return the share of all other values that a label stands for as well."""
    return [leaves.astype(np.int64) - 1 for leaves in hierarchy.leaves], max(hierarchy.n_leaves - 1, 1)


def _by_level(hierarchy: Hierarchy) -> _Costs:
    """Return how far up a label is."""
    levels = [np.full(len(labels), level, np.int64) for level, labels in enumerate(hierarchy.labels)]
    return levels, max(hierarchy.height, 1)


class _OfLabels:
    """A weighted mean over attributes of the mean cost of their labels over records; a withheld record costs 1."""

    exact = True

    def __init__(self, base: PrivacyHashTable, costs: Sequence[_Costs], weights: Sequence[Fraction]) -> None:
        self._records = base.records
        self._costs = [by_level for by_level, _ in costs]
        total = sum(map(Fraction, weights))
        # what one part of a label costs of all records together
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
            for i, (hierarchy, counts) in enumerate(zip(base.maps.hierarchies, base.label_counts(), strict=True))
        ]
        self._means = [np.array([float(each / self._records) for each in sums]) for sums in self._sums]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return _summed(nodes, self._means)

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        return _summed(nodes, self._means) + (1 - _summed(nodes, self._dearest)) * (withheld / self._records)

    def alone(self, node: Sequence[int]) -> Fraction:
        return sum((sums[level] for sums, level in zip(self._sums, node, strict=True)), Fraction(0)) / self._records

    def least(self, table: PrivacyHashTable) -> float:
        return float(self.alone(table.node))

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:
        if not withheld.any():
            return self.alone(table.node)
        gone = Fraction(int(table.counts.sizes[withheld].sum()))
        for i, counts in enumerate(table.label_counts(withheld)):
            gone -= self._units[i] * int(self._costs[i][table.node[i]] @ counts.astype(np.int64))
        return self.alone(table.node) + gone / self._records


def _summed(nodes: np.ndarray, by_level: Sequence[np.ndarray]) -> np.ndarray:
    out = np.zeros(len(nodes))
    for i, costs in enumerate(by_level):
        out += costs[nodes[:, i]]
    return out


class _Height:
    """The sum of the levels, weighted; who is withheld does not count."""

    exact = True

    def __init__(self, weights: Sequence[Fraction]) -> None:
        self._weights = [Fraction(each) for each in weights]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return nodes @ np.array(self._weights, np.float64)

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:  # noqa: ARG002
        return self.bounds(nodes, np.zeros(0))

    def alone(self, node: Sequence[int]) -> Fraction:
        return sum((each * level for each, level in zip(self._weights, node, strict=True)), Fraction(0))

    def least(self, table: PrivacyHashTable) -> float:
        return float(self.alone(table.node))

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:  # noqa: ARG002
        return self.alone(table.node)


class _OfGroups:
    """What depends on groups, of which levels alone say nothing."""

    exact = False

    def __init__(self, base: PrivacyHashTable) -> None:
        self._records = base.records

    def alone(self, node: Sequence[int]) -> Fraction:  # noqa: ARG002
        return Fraction(0)


class _Discernability(_OfGroups):
    """The sum of the squares of group sizes; a withheld record counts all records."""

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return squares

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        return np.full(len(nodes), float(withheld) * self._records)

    def least(self, table: PrivacyHashTable) -> float:
        return float(table.counts.sizes @ table.counts.sizes)

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:
        sizes = table.counts.sizes
        kept, gone = sizes[~withheld], int(sizes[withheld].sum())
        return Fraction(int(kept @ kept) + gone * self._records)


class _AverageGroupSize(_OfGroups):
    """Records by groups; the withheld count as one group."""

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return np.zeros(len(nodes))

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:  # noqa: ARG002
        return np.zeros(len(nodes))

    def least(self, table: PrivacyHashTable) -> float:
        return self._records / max(len(table), 1)

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:  # noqa: ARG002
        groups = int((~withheld).sum()) + bool(withheld.any())
        return Fraction(self._records, max(groups, 1))


def leaf_costs(hierarchy: Hierarchy) -> list[np.ndarray]:
    """Return by level what each label costs: the share of all other values that it stands for as well."""
    others = max(hierarchy.n_leaves - 1, 1)
    return [(leaves - 1) / others for leaves in hierarchy.leaves]
