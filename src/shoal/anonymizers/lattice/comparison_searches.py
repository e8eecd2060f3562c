"""Searches of the lattice from the literature, for comparison with the search by bounds and chains.

*Incognito* (LeFevre, DeWitt and Ramakrishnan 2005) decides for every node whether it keeps the promises. If the table
breaks a promise with all attributes but a subset at the top, so does every node that generalizes the subset no further.
So subsets are evaluated by size, and within one nodes from the lowest up; what a smaller subset rules out is never
evaluated. The search by bounds evaluates fewer nodes and finds the same.

*Samarati's binary search* (2001) finds the lowest height at which some node keeps the promises. Where merging groups
never breaks a promise, every greater height has such a node too, so the height is found by bisection, and the cheapest
node of that height is taken. A node of least height need not be the one of least information loss.
"""

from itertools import combinations

import numpy as np

from shoal.anonymizers.generalization.node_evaluation import EvaluatedNode
from shoal.anonymizers.generalization.search import LatticeSearch

__all__ = ["incognito", "samarati_search"]


def incognito(search: LatticeSearch) -> None:
    """Decide for every node whether it keeps the promises."""
    heights = search.nodes.max(axis=0)
    by_height = np.argsort(search.nodes.sum(axis=1, dtype=np.int64), kind="stable")
    for size in range(1, len(heights) + 1):
        for attributes in combinations(range(len(heights)), size):
            others = [i for i in range(len(heights)) if i not in attributes]
            inside = (search.nodes[:, others] == heights[others]).all(axis=1)
            for index in by_height[inside[by_height]]:
                if search.state[index] == 0:
                    search.at(search.nodes[index].tolist())


def samarati_search(search: LatticeSearch) -> EvaluatedNode | None:
    """Return the cheapest of the nodes of least height that keep the promises; None if no node does."""
    heights = search.nodes.sum(axis=1, dtype=np.int64)
    low, high = 0, int(heights.max())
    if not search.at(search.nodes[-1].tolist()).keeps:
        return None
    while low < high:
        middle = (low + high) // 2
        found = any(search.keeps(node) for node in search.nodes[heights == middle].tolist())
        low, high = (low, middle) if found else (middle + 1, high)
    candidates = [search.at(node) for node in search.nodes[heights == low].tolist() if search.keeps(node)]
    return min(candidates, key=lambda each: each.rank)
