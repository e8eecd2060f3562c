"""Incognito: find every node that keeps promises, first for few attributes, then for more.

*Definition.* A table told by some of the attributes alone is one in which all others are at the top. If it breaks a
promise, so does every node that tells these attributes no less exactly. So subsets of the attributes are looked at by
size, and within one nodes from the lowest up; what is ruled out by a smaller subset is never looked at.

*Reference.* LeFevre, DeWitt and Ramakrishnan 2005. Here for comparison: the search by bounds and chains looks at fewer
nodes and gives the same.
"""

from itertools import combinations

import numpy as np

from .lattice_search import LatticeSearch

__all__ = ["incognito"]


def incognito(search: LatticeSearch) -> None:
    """Find out of every node whether it keeps the promises."""
    heights = search.nodes.max(axis=0)
    by_height = np.argsort(search.nodes.sum(axis=1, dtype=np.int64), kind="stable")
    for size in range(1, len(heights) + 1):
        for attributes in combinations(range(len(heights)), size):
            others = [i for i in range(len(heights)) if i not in attributes]
            inside = (search.nodes[:, others] == heights[others]).all(axis=1)
            for index in by_height[inside[by_height]]:
                if search.state[index] == 0:
                    search.at(search.nodes[index].tolist())
