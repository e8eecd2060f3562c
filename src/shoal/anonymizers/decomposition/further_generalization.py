"""The least that a table must be generalized further from a node of the lattice so that promises hold."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.anonymizers.generalization.node_evaluation import NodeEvaluation
from shoal.anonymizers.generalization.search import LatticeSearch, is_exhaustive, lattice_descent
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Hierarchy, Microdata
from shoal.evidence import PrivacyHashTable
from shoal.models import PrivacyModel
from shoal.progress import stage

from .generalization_chain import GeneralizationChain

__all__ = ["DegreeLoss", "first_on_chain", "least_generalization_above"]


_UNWEIGHED = Fraction(1, 10**6)
"""The share of the cost that counts all attributes alike, so that no step up is free, be its attribute of no use."""


class DegreeLoss:
    """The degree of the table told at a node; a withheld record costs 1. A loss for the search of the lattice."""

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
        """Return what each node, a line of levels, costs if nobody is withheld."""
        out = np.zeros(len(nodes))
        for i, costs in enumerate(self._doubles):
            out += costs[nodes[:, i]]
        return out

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Return the least that nodes cost that withhold so many records at least."""
        bounds = self.bounds(nodes)
        return bounds + (1 - bounds) * withheld / self._records

    def alone(self, node: Sequence[int]) -> Fraction:
        """Return what a node costs that withholds nobody."""
        return sum((costs[level] for costs, level in zip(self._costs, node, strict=True)), Fraction(0))

    def least(self, table: PrivacyHashTable) -> float:
        """Return the least that a node and those above it can cost."""
        return float(self.alone(table.node))

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:
        """Return what a node costs if these groups are withheld."""
        cost = self.alone(table.node)
        return cost + (1 - cost) * Fraction(int(table.counts.sizes[withheld].sum()), self._records)


def least_generalization_above(
    lattice: TableLattice,
    node: Sequence[int],
    chain: GeneralizationChain,
    models: Sequence[PrivacyModel],
    spare: int,
    seconds: float,
) -> tuple[tuple[int, ...] | None, bool]:
    """Return the node at or above this one that keeps the promises at the least degree of anonymization; None if none.

    As many records as there are to ``spare`` may be withheld, each of which counts as wholly anonymized. Where more
    than a million nodes lie above, the best found in so many seconds is given; and whether nothing better can exist.
    """
    above = TableLattice(_fixed_at(lattice, node), lattice.engine)
    base = above.hash_table(models)
    degrees = [degrees[level:] for degrees, level in zip(chain.level_degrees, node, strict=True)]
    loss, people = DegreeLoss(base.records, degrees, chain.priorities), above.people(models)
    evaluation = NodeEvaluation(base, models, spare, loss, people)
    if is_exhaustive(evaluation.heights):
        best, whole = LatticeSearch(evaluation).optimum(), True
    else:
        with stage("searching the lattice"):
            best, whole = lattice_descent(evaluation, seconds)
    found = None if best is None else tuple(low + up for low, up in zip(node, best.node, strict=True))
    return found, whole


def first_on_chain(
    lattice: TableLattice, place: int, chain: GeneralizationChain, models: Sequence[PrivacyModel], spare: int
) -> int | None:
    """Return the first place of a chain at or after this one that keeps the promises, None if none does."""
    base = lattice.hash_table(models)
    loss, people = DegreeLoss(base.records, chain.level_degrees, chain.priorities), lattice.people(models)
    evaluation = NodeEvaluation(base, models, spare, loss, people)
    low, high = place, len(chain.nodes)
    if not evaluation.upward:
        return next((at for at in range(low, high) if evaluation.at(chain.nodes[at]).keeps), None)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if evaluation.at(chain.nodes[middle]).keeps else (middle + 1, high)
    return low if low < len(chain.nodes) else None


def _fixed_at(lattice: TableLattice, node: Sequence[int]) -> Microdata:
    """Tell the table at a node, with what is left of the hierarchies above it."""
    table = lattice.generalized(node)
    parts = zip(table.quasi_identifiers, lattice.hierarchies, node, strict=True)
    return table.replaced(tuple(column.with_hierarchy(_left(whole, level)) for column, whole, level in parts))


def _left(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """Return the hierarchy of the labels of a level."""
    lowest, labels = hierarchy.maps[level], hierarchy.labels[level:]
    maps = []
    for published in hierarchy.maps[level:]:
        codes = np.zeros(len(labels[0]), np.int32)
        codes[lowest] = published  # levels nest, so any value of a label will do
        maps.append(codes)
    return Hierarchy(tuple(maps), labels)
