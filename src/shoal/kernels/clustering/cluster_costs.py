"""What clusters cost by how far their values reach, and the clusters that others join at the least cost.

Values of all attributes are numbered through, those of one attribute in an order in which the values under one label
are adjacent, or in which numbers ascend. A cluster then reaches, in each attribute, from the lowest to the highest of
its values, and a *ruler* ``(numbers, maps, wholes, heights, begins)`` says what that costs each of its records:

* where ``heights[a]`` is 0, the difference of the ``numbers`` of both ends over ``wholes[a]``, and 1 where one of them
  is missing (NaN);
* else the lowest level on which ``maps[level, value]`` is the same for both ends, over ``heights[a]``;
* attribute a has the values from ``begins[a]`` up to ``begins[a + 1]``.

The total cost of a cluster is that of one record times their number: the information loss of Byun, Kamra, Bertino, Li,
Efficient k-anonymization using clustering techniques, 2007.
"""

from typing import Any

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["cheapest_merges", "disperse", "reach_cost"]

Arrays = tuple[np.ndarray, ...]
"""A ruler."""
Number = Any
"""A number as it comes out of an array."""


@compiled
def reach_cost(ruler: Arrays, a: Number, low: Number, high: Number) -> Number:
    """Return what each record of a cluster loses that reaches from one value of an attribute to another."""
    if low == high:
        return 0.0
    numbers, maps, wholes, heights, _ = ruler
    if heights[a] == 0:
        apart = (numbers[high] - numbers[low]) / wholes[a]
        return 1.0 if np.isnan(apart) else apart
    level = 0
    while maps[level, low] != maps[level, high]:
        level += 1
    return level / heights[a]


@compiled
def disperse(ruler: Arrays, values: np.ndarray, lows: np.ndarray, highs: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the cluster that each record joins, in their order: the one whose total cost grows least by it.

    ``values`` are those of the records; ``lows``, ``highs`` and ``sizes`` are of the clusters, and kept up to date.
    """
    n, m, n_clusters = len(values), values.shape[1], len(sizes)
    joined = np.empty(n, np.int64)
    widths = np.zeros(n_clusters)
    for g in range(n_clusters):
        for a in range(m):
            widths[g] += reach_cost(ruler, a, lows[g, a], highs[g, a])
    for i in range(n):
        best, best_growth, best_width = -1, np.inf, 0.0
        for g in range(n_clusters):
            width = 0.0
            for a in range(m):
                width += reach_cost(ruler, a, min(lows[g, a], values[i, a]), max(highs[g, a], values[i, a]))
            growth = (sizes[g] + 1) * width - sizes[g] * widths[g]
            if growth < best_growth:
                best, best_growth, best_width = g, growth, width
        joined[i] = best
        for a in range(m):
            lows[best, a] = min(lows[best, a], values[i, a])
            highs[best, a] = max(highs[best, a], values[i, a])
        sizes[best] += 1
        widths[best] = best_width
    return joined


@compiled
def cheapest_merges(
    ruler: Arrays, lows: np.ndarray, highs: np.ndarray, sizes: np.ndarray, chosen: np.ndarray
) -> np.ndarray:
    """Return for each chosen cluster the other one by whose merging the total cost grows least."""
    m, n_clusters = lows.shape[1], len(sizes)
    merged = np.empty(len(chosen), np.int64)
    for i in range(len(chosen)):
        best, best_growth = -1, np.inf
        for g in range(n_clusters):
            if g == chosen[i]:
                continue
            growth = 0.0
            for a in range(m):
                low, high = min(lows[g, a], lows[chosen[i], a]), max(highs[g, a], highs[chosen[i], a])
                growth += (sizes[g] + sizes[chosen[i]]) * reach_cost(ruler, a, low, high)
                growth -= sizes[g] * reach_cost(ruler, a, lows[g, a], highs[g, a])
            if growth < best_growth:
                best, best_growth = g, growth
        merged[i] = best
    return merged
