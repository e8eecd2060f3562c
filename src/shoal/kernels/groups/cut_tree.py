"""A tree of cuts: each row goes down from the root to a leaf, by one of its codes at each cut."""

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["follow_cuts"]


@compiled
def follow_cuts(
    codes: np.ndarray, attributes: np.ndarray, begins: np.ndarray, starts: np.ndarray, children: np.ndarray
) -> np.ndarray:
    """Return the leaf that each row of codes reaches.

    Node i is cut by the column ``attributes[i]`` of the codes; a leaf has −1. Its runs are those from ``begins[i]`` to
    ``begins[i + 1]``: codes from ``starts[run]`` up to the next start go to the node ``children[run]``.
    """
    leaves = np.empty(len(codes), np.int64)
    for row in range(len(codes)):
        node = 0
        while attributes[node] >= 0:
            code = codes[row, attributes[node]]
            low, high = begins[node], begins[node + 1]
            while high - low > 1:
                middle = (low + high) // 2
                if starts[middle] <= code:
                    low = middle
                else:
                    high = middle
            node = children[low]
        leaves[row] = node
    return leaves
