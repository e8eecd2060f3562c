"""The least that a table must be generalised further from a node of the lattice so that promises hold."""

from collections.abc import Sequence

import numpy as np

from shoal.data import Hierarchy, Microdata
from shoal.models import PrivacyModel
from shoal.progress import stage

from .degree_loss import DegreeLoss
from .generalisation_chain import GeneralisationChain
from .lattice_descent import lattice_descent
from .lattice_search import LatticeSearch
from .node_evaluation import NodeEvaluation
from .searched_whole import is_searched_whole
from .table_lattice import TableLattice

__all__ = ["kept_above", "kept_on_chain"]


def kept_above(
    lattice: TableLattice,
    node: Sequence[int],
    chain: GeneralisationChain,
    models: Sequence[PrivacyModel],
    spare: int,
    seconds: float,
) -> tuple[tuple[int, ...] | None, bool]:
    """Give the node at or above this one that keeps the promises at the least degree of anonymisation; None if none.

    As many records as there are to ``spare`` may be withheld, each of which counts as wholly anonymised. Where more
    than a million nodes lie above, the best found in so many seconds is given; and whether nothing better can exist.
    """
    above = TableLattice(_told_at(lattice, node), lattice.engine)
    base = above.hash_table(models)
    degrees = [degrees[level:] for degrees, level in zip(chain.level_degrees, node, strict=True)]
    loss, people = DegreeLoss(base.records, degrees, chain.priorities), above.people(models)
    evaluation = NodeEvaluation(base, models, spare, loss, people)
    if is_searched_whole(evaluation.heights):
        best, whole = LatticeSearch(evaluation).optimum(), True
    else:
        with stage("searching the lattice"):
            best, whole = lattice_descent(evaluation, seconds)
    found = None if best is None else tuple(low + up for low, up in zip(node, best.node, strict=True))
    return found, whole


def kept_on_chain(
    lattice: TableLattice, place: int, chain: GeneralisationChain, models: Sequence[PrivacyModel], spare: int
) -> int | None:
    """Give the first place of a chain at or after this one that keeps the promises, None if none does."""
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


def _told_at(lattice: TableLattice, node: Sequence[int]) -> Microdata:
    """Tell the table at a node, with what is left of the hierarchies above it."""
    table = lattice.generalised(node)
    parts = zip(table.quasi_identifiers, lattice.hierarchies, node, strict=True)
    return table.replaced(tuple(column.with_hierarchy(_left(whole, level)) for column, whole, level in parts))


def _left(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """Give the hierarchy of the labels of a level."""
    lowest, labels = hierarchy.maps[level], hierarchy.labels[level:]
    maps = []
    for told in hierarchy.maps[level:]:
        codes = np.zeros(len(labels[0]), np.int32)
        codes[lowest] = told  # levels nest, so any value of a label will do
        maps.append(codes)
    return Hierarchy(tuple(maps), labels)
