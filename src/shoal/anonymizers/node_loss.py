"""What a node of the lattice costs, and what it costs at least before it is looked at."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np

from shoal.data import Hierarchy
from shoal.evidence import PrivacyHashTable

from .leaf_costs import leaf_costs

__all__ = ["LossName", "NodeLoss", "node_loss"]

LossName = Literal["loss-mean", "discernability", "height", "precision", "average-group-size"]


class NodeLoss(Protocol):
    """A number for each node; the smaller, the better. Going up the lattice never lowers its bounds."""

    exact: bool
    """Whether bounds beforehand are what a node costs that withholds nobody."""

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        """Give for each node, a line of levels, the least it can cost."""
        ...

    def least(self, table: PrivacyHashTable) -> float:
        """Give the least that a node and those above it can cost."""
        ...

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:
        """Give what a node costs if these groups are withheld."""
        ...


def node_loss(name: LossName, base: PrivacyHashTable, weights: Sequence[float]) -> NodeLoss:
    """Give a loss by its name.

    ``base`` is the table of the lowest node; ``weights`` say how much attributes count where a loss is made up of them.
    """
    shares = np.asarray(weights, np.float64) / np.sum(weights)
    hierarchies = base.maps.hierarchies
    if name == "loss-mean":
        return _OfLabels(base, [leaf_costs(each) for each in hierarchies], shares)
    if name == "precision":
        return _OfLabels(base, [_by_level(each) for each in hierarchies], shares)
    if name == "height":
        return _Height(np.asarray(weights, np.float64))
    return _Discernability(base) if name == "discernability" else _AverageGroupSize(base)


def _by_level(hierarchy: Hierarchy) -> list[np.ndarray]:
    """Give by level what each label costs: how far up it is."""
    return [np.full(len(labels), level / max(hierarchy.height, 1)) for level, labels in enumerate(hierarchy.labels)]


class _OfLabels:
    """A weighted mean over attributes of the mean cost of their labels over records; a withheld record costs 1."""

    exact = True

    def __init__(self, base: PrivacyHashTable, costs: Sequence[Sequence[np.ndarray]], shares: np.ndarray) -> None:
        self._records, self._costs, self._shares = base.records, costs, shares
        # exact sums by attribute and level: they do not depend on the other attributes
        self._means = []
        for i, hierarchy in enumerate(base.maps.hierarchies):
            counts = np.bincount(base.labels[:, i], base.counts.sizes, minlength=hierarchy.n_values)
            self._means.append(
                [
                    float(costs[i][level][hierarchy.maps[level]] @ counts) / self._records
                    for level in range(hierarchy.height + 1)
                ]
            )

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        out = np.zeros(len(nodes))
        for i, means in enumerate(self._means):
            out += self._shares[i] * np.asarray(means)[nodes[:, i]]
        return out

    def least(self, table: PrivacyHashTable) -> float:
        return float(self.bounds(np.array([table.node]))[0])

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:
        lost = np.zeros(int(withheld.sum()))
        for i, level in enumerate(table.node):
            lost += self._shares[i] * self._costs[i][level][table.labels[withheld, i]]
        return self.least(table) + float((1 - lost) @ table.counts.sizes[withheld]) / self._records


class _Height:
    """The sum of the levels, weighted; who is withheld does not count."""

    exact = True

    def __init__(self, weights: np.ndarray) -> None:
        self._weights = weights

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        return nodes @ self._weights

    def least(self, table: PrivacyHashTable) -> float:
        return float(np.asarray(table.node) @ self._weights)

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:  # noqa: ARG002
        return self.least(table)


class _Discernability:
    """The sum of the squares of group sizes; a withheld record counts all records."""

    exact = False

    def __init__(self, base: PrivacyHashTable) -> None:
        self._records = base.records

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        return np.zeros(len(nodes))

    def least(self, table: PrivacyHashTable) -> float:
        return float(table.counts.sizes @ table.counts.sizes)

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:
        sizes = table.counts.sizes
        kept, gone = sizes[~withheld], int(sizes[withheld].sum())
        return float(kept @ kept + gone * self._records)


class _AverageGroupSize:
    """Records by groups; the withheld count as one group."""

    exact = False

    def __init__(self, base: PrivacyHashTable) -> None:
        self._records = base.records

    def bounds(self, nodes: np.ndarray) -> np.ndarray:
        return np.zeros(len(nodes))

    def least(self, table: PrivacyHashTable) -> float:
        return self._records / max(len(table), 1)

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:  # noqa: ARG002
        groups = int((~withheld).sum()) + bool(withheld.any())
        return self._records / max(groups, 1)
