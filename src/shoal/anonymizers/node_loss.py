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

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:
        """Give for each node, a line of levels, the least it can cost; squares of group sizes add up to so much."""
        ...

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Give for each node the least it can cost if it withholds so many records or more."""
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
        self._dearest = [[float(each.max(initial=0)) for each in levels] for levels in costs]
        # exact sums by attribute and level: they do not depend on the other attributes
        self._means = []
        for i, (hierarchy, counts) in enumerate(zip(base.maps.hierarchies, base.label_counts(), strict=True)):
            self._means.append(
                [
                    float(costs[i][level][hierarchy.maps[level]] @ counts) / self._records
                    for level in range(hierarchy.height + 1)
                ]
            )

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return self._summed(nodes, self._means)

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        return self._summed(nodes, self._means) + (1 - self._summed(nodes, self._dearest)) * (withheld / self._records)

    def least(self, table: PrivacyHashTable) -> float:
        return float(self._summed(np.array([table.node]), self._means)[0])

    def _summed(self, nodes: np.ndarray, by_level: Sequence[Sequence[float]]) -> np.ndarray:
        out = np.zeros(len(nodes))
        for i, costs in enumerate(by_level):
            out += self._shares[i] * np.asarray(costs)[nodes[:, i]]
        return out

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:
        gone = float(table.counts.sizes[withheld].sum())
        for i, counts in enumerate(table.label_counts(withheld)):
            gone -= float(self._shares[i] * (self._costs[i][table.node[i]] @ counts))
        return self.least(table) + gone / self._records


class _Height:
    """The sum of the levels, weighted; who is withheld does not count."""

    exact = True

    def __init__(self, weights: np.ndarray) -> None:
        self._weights = weights

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return nodes @ self._weights

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:  # noqa: ARG002
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

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return squares

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        return np.full(len(nodes), float(withheld) * self._records)

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

    def bounds(self, nodes: np.ndarray, squares: np.ndarray) -> np.ndarray:  # noqa: ARG002
        return np.zeros(len(nodes))

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:  # noqa: ARG002
        return np.zeros(len(nodes))

    def least(self, table: PrivacyHashTable) -> float:
        return self._records / max(len(table), 1)

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:  # noqa: ARG002
        groups = int((~withheld).sum()) + bool(withheld.any())
        return self._records / max(groups, 1)
