"""The least further generalization of a node of the lattice that keeps the promises."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.generalization.node_evaluation import NodeEvaluation
from shoal.anonymizers.generalization.node_sums import NodeSums
from shoal.anonymizers.generalization.search import LatticeSearch, is_exhaustive, lattice_descent
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Hierarchy, Microdata
from shoal.models import PrivacyModel
from shoal.progress import stage

from .generalization_chain import GeneralizationChain

__all__ = ["DegreeLoss", "first_on_chain", "least_generalization_above"]

_UNWEIGHED = Fraction(1, 10**6)
"""The share of the cost in which all attributes count alike, so that no step up is free, even of a useless one."""


class DegreeLoss:
    """A node loss for the lattice search: the degree of anonymization of the node; a withheld record costs 1."""

    exact = True

    def __init__(
        self, records: int, level_degrees: Sequence[Sequence[Fraction]], priorities: Sequence[Fraction]
    ) -> None:
        weights = list(priorities) if any(priorities) else [Fraction(1)] * len(priorities)
        shares = [(1 - _UNWEIGHED) * each / sum(weights) + _UNWEIGHED / len(weights) for each in weights]
        pairs = zip(shares, level_degrees, strict=True)
        self._records = records
        self._costs = [[share * degree for degree in degrees] for share, degrees in pairs]
        self._doubles = [np.array(costs, np.float64) for costs in self._costs]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray | None = None) -> np.ndarray:  # noqa: ARG002
        """Return the cost of each node, a line of levels, if no record is withheld."""
        out = np.zeros(len(nodes))
        for i, costs in enumerate(self._doubles):
            out += costs[nodes[:, i]]
        return out

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Return the least cost of each node if it withholds at least ``withheld`` records."""
        bounds = self.bounds(nodes)
        return bounds + (1 - bounds) * withheld / self._records

    def alone(self, node: Sequence[int]) -> Fraction:
        """Return the cost of a node if no record is withheld."""
        return sum((costs[level] for costs, level in zip(self._costs, node, strict=True)), Fraction(0))

    def least(self, sums: NodeSums) -> float:
        """Return the least cost of a node and of all nodes above it."""
        return float(self.alone(sums.node))

    def of(self, sums: NodeSums) -> Fraction:
        """Return the cost of a node without the groups that it withholds."""
        cost = self.alone(sums.node)
        return cost + (1 - cost) * Fraction(sums.withheld, self._records)


def least_generalization_above(
    lattice: TableLattice,
    node: Sequence[int],
    chain: GeneralizationChain,
    models: Sequence[PrivacyModel],
    max_withheld: Allowance,
    seconds: float,
) -> tuple[tuple[int, ...] | None, bool]:
    """Return the node at or above ``node`` that keeps the promises at the least degree, and whether that is certain.

    A withheld record counts as wholly anonymized. Where more than a million nodes lie above, the best node found within
    ``seconds`` is returned. The node is None where none was found.
    """
    above = TableLattice(_fixed_at(lattice, node), lattice.engine)
    base = above.hash_table(models)
    degrees = [degrees[level:] for degrees, level in zip(chain.level_degrees, node, strict=True)]
    loss = DegreeLoss(base.records, degrees, chain.priorities)
    evaluation = NodeEvaluation(base, models, max_withheld, loss, above.people(models))
    if is_exhaustive(evaluation.heights):
        best, whole = LatticeSearch(evaluation).optimum(), True
    else:
        with stage("searching the lattice"):
            best, whole = lattice_descent(evaluation, seconds)
    found = None if best is None else tuple(low + up for low, up in zip(node, best.node, strict=True))
    return found, whole


def first_on_chain(
    lattice: TableLattice,
    place: int,
    chain: GeneralizationChain,
    models: Sequence[PrivacyModel],
    max_withheld: Allowance,
) -> int | None:
    """Return the first place of a chain, from ``place`` on, whose node keeps the promises; None if there is none."""
    base = lattice.hash_table(models)
    loss = DegreeLoss(base.records, chain.level_degrees, chain.priorities)
    evaluation = NodeEvaluation(base, models, max_withheld, loss, lattice.people(models))
    low, high = place, len(chain.nodes)
    if not evaluation.upward:
        return next((at for at in range(low, high) if evaluation.at(chain.nodes[at]).keeps), None)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if evaluation.at(chain.nodes[middle]).keeps else (middle + 1, high)
    return low if low < len(chain.nodes) else None


def _fixed_at(lattice: TableLattice, node: Sequence[int]) -> Microdata:
    """Return the table generalized to a node, with the hierarchies above it."""
    table = lattice.generalized(node)
    parts = zip(table.quasi_identifiers, lattice.hierarchies, node, strict=True)
    return table.replaced(tuple(column.with_hierarchy(_from_level(whole, level)) for column, whole, level in parts))


def _from_level(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """Return the hierarchy whose leaves are the labels of a level."""
    lowest, labels = hierarchy.maps[level], hierarchy.labels[level:]
    maps = []
    for generalized in hierarchy.maps[level:]:
        codes = np.zeros(len(labels[0]), np.int32)
        codes[lowest] = generalized  # levels nest, so any value of a label will do
        maps.append(codes)
    return Hierarchy(tuple(maps), labels)
