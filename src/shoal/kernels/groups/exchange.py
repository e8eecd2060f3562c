"""Exchange people between groups, as long as that makes groups cheaper by their ratings and their labels together.

A group costs what it takes to make its ratings alike (:mod:`.group_costs`), and for each column of a table what its
label loses, once for each member. Values of a column are places in an order in which those under one label are
adjacent, so the lowest and the highest place of a group decide its label.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange

from .group_costs import set_cost

__all__ = ["exchange"]

_LITTLE = 1e-9


@compiled
def _label_cost(labels, members):
    """Return what the labels of one group lose, over all members."""
    places, slopes, nodes, losses = labels
    total = 0.0
    for column in range(places.shape[1]):
        low = high = places[members[0], column]
        for row in members:
            low, high = min(low, places[row, column]), max(high, places[row, column])
        if slopes[column] >= 0:
            total += slopes[column] * (high - low)
            continue
        level = 0
        while nodes[column, level, low] != nodes[column, level, high]:
            level += 1
        total += losses[column, level, low]
    return total * len(members)


@compiled(parallel=True)
def exchange(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    sizes: np.ndarray,
    begins: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    invent: float,
    drop: float,
    places: np.ndarray,
    slopes: np.ndarray,
    nodes: np.ndarray,
    losses: np.ndarray,
    passes: int,
) -> np.ndarray:
    """Change members in place; return what each group costs in the end.

    Line g of members holds the rows of group g, sizes[g] of them. Two rows change places if that makes their groups
    cheaper together. Groups begins[b] to begins[b + 1] are a block: rows are exchanged within a block only, so blocks
    are worked on side by side, in at most so many passes. shape is the number of columns and of values of the ratings.

    places are rows by columns of the table. A column with a slope of at least 0 is labeled by ranges, which lose that
    much for each place; of others, nodes[column, level, place] is the label on each level, the last being the same for
    all places, and losses[column, level, place] what it loses.
    """
    costs = np.zeros(len(sizes), np.float64)
    for b in prange(len(begins) - 1):
        room = (np.zeros(shape, np.int32), np.zeros(shape[0], np.int32), np.empty(shape[0], np.int32))
        terms = (indptr, indices, data), (radius, invent, drop), (places, slopes, nodes, losses), room
        for g in range(begins[b], begins[b + 1]):
            costs[g] = _cost(terms, members[g, : sizes[g]])
        for _ in range(passes):
            saved = 0.0
            for g in range(begins[b], begins[b + 1]):
                for h in range(g + 1, begins[b + 1]):
                    saved += _exchanged(terms, members[g, : sizes[g]], members[h, : sizes[h]], costs, g, h)
            if saved <= _LITTLE:
                break
    return costs


@compiled
def _cost(terms, members):
    """Return what a group costs by its ratings and its labels."""
    (indptr, indices, data), (radius, invent, drop), labels, (counts, given, touched) = terms
    alike = set_cost(indptr, indices, data, members, radius, invent, drop, counts, given, touched)
    return alike + _label_cost(labels, members)


@compiled
def _exchanged(terms, first, second, costs, g, h):
    """Try all exchanges between two groups, and return what those that were made have saved."""
    begun = costs[g] + costs[h]
    for i in range(len(first)):
        for j in range(len(second)):
            first[i], second[j] = second[j], first[i]
            cost = _cost(terms, first)
            other = _cost(terms, second) if cost < costs[g] + costs[h] else 0.0
            if cost + other < costs[g] + costs[h] - _LITTLE:
                costs[g], costs[h] = cost, other
            else:
                first[i], second[j] = second[j], first[i]
    return begun - costs[g] - costs[h]
