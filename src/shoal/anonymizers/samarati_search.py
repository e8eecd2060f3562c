"""Samarati's binary search: the lowest height at which some node keeps promises.

*Definition.* Where joining groups never breaks a promise, a height at which some node keeps it has such nodes at every
height above. So the least height is found by halving, and of the nodes there the one that costs least is taken.

*Reference.* Samarati 2001. Here for comparison: a node of the least height need not be the one that costs least.
"""

import numpy as np

from .lattice_search import LatticeSearch
from .node_evaluation import EvaluatedNode

__all__ = ["samarati_search"]


def samarati_search(search: LatticeSearch) -> EvaluatedNode | None:
    """Give the node of the least height that keeps the promises; of several the one that costs least."""
    heights = search.nodes.sum(axis=1, dtype=np.int64)
    low, high = 0, int(heights.max())
    if not search.at(search.nodes[-1].tolist()).keeps:
        return None
    while low < high:
        middle = (low + high) // 2
        found = any(search.keeps(node) for node in search.nodes[heights == middle].tolist())
        low, high = (low, middle) if found else (middle + 1, high)
    there = [search.at(node) for node in search.nodes[heights == low].tolist() if search.keeps(node)]
    return min(there, key=lambda each: each.rank)
