"""The tree that joins all columns by the closest pairs: Kruskal's minimum spanning tree."""

from itertools import combinations

import numpy as np

__all__ = ["spanning_tree"]

_DECIMALS = 12
"""Weights that are the same to so many decimals are tied: beyond them is rounding."""


def spanning_tree(weights: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Give the edges of a minimum spanning tree of the full graph with these weights, lightest first.

    An edge names the lower vertex first. Of edges that are as light, the one with the lower first vertex is taken, then
    the one with the lower second, so that there is one answer.

    *Reference.* Sun, thesis, Algorithm 1. The tree in its Figure 5.2 joins A2 and A5 at 1.6681 where A3 and A5, at
    1.6217, are closer; it is not minimal.
    """
    vertices = range(len(weights))
    edges = sorted(combinations(vertices, 2), key=lambda edge: (round(float(weights[edge]), _DECIMALS), *edge))
    part = list(vertices)
    tree = []
    for one, other in edges:
        old, new = part[other], part[one]
        if old != new:
            part = [new if each == old else each for each in part]
            tree.append((one, other))
    return tuple(tree)
