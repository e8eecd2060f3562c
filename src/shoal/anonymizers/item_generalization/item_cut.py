"""A cut through a hierarchy of items: every item is published as one node."""

import heapq

import numpy as np

from shoal.data import ItemTree, RankedRows, RatingMatrix
from shoal.engines import Engine
from shoal.engines.within_classes import items_within_classes
from shoal.evidence import Grouping
from shoal.kernels.matching.rare_sets import count_rare_sets
from shoal.progress import stage

__all__ = ["lowered_cut", "raised_cut"]

_SPANS = 64
"""In how many spans of first nodes rare sets are counted, side by side."""
_SHARE = 10
"""A round mends one in so many of the rare sets at least: one generalization at a time takes too long on large data."""


def raised_cut(
    matrix: RatingMatrix, classes: Grouping, tree: ItemTree, fewest: np.ndarray, engine: Engine
) -> tuple[np.ndarray, int]:
    """Return for each item the node it is published as, so that no set of nodes is rare, and the number of rounds.

    ``matrix`` are the sets of items. Who holds a set is counted within each of the classes, of which at least as many
    people hold any item as must hold a single node, or none does.
    """
    cut, rounds = np.arange(tree.n_items, dtype=np.int32), 0
    occurrences = matrix.raters
    held = matrix.joined(tree.labels, cut)
    with stage("generalizing items of rare sets") as progress:
        for size in range(1, len(fewest) + 1):
            while (counts := _in_rare_sets(held, classes, fewest[:size], engine)).any():
                cut = _raised(cut, tree, occurrences, counts)
                held = matrix.joined(tree.labels, cut)
                rounds += 1
                progress.advance()
    return cut, rounds


def _in_rare_sets(held: RatingMatrix, classes: Grouping, fewest: np.ndarray, engine: Engine) -> np.ndarray:
    """Return in how many rare sets each node is, over all classes."""
    within, nodes = items_within_classes(held, classes)
    rows = _ranked(within, np.arange(len(within)))
    spans = list(rows.spans(_SPANS))
    parts = engine.map_blocks(lambda span: count_rare_sets(*rows.arrays, *span, fewest, False), spans)
    out = np.zeros(len(held.items), np.int64)
    np.add.at(out, nodes[rows.items], np.sum(parts, axis=0, dtype=np.int64))
    return out


def _raised(cut: np.ndarray, tree: ItemTree, occurrences: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the cut after the generalizations that cost least for the rare sets they touch."""
    used = np.unique(cut)
    gains = np.zeros(len(tree), np.int64)
    below = used[(counts[used] > 0) & (tree.parents[used] >= 0)]
    np.add.at(gains, tree.parents[below], counts[below])
    candidates = np.flatnonzero(gains)
    costs = _costs_above(cut, tree, occurrences)[candidates]
    order = np.lexsort((candidates, costs / gains[candidates]))
    reached = np.cumsum(gains[candidates][order])
    n = int(np.searchsorted(reached, reached[-1] / _SHARE)) + 1
    chosen = np.zeros(len(tree), bool)
    chosen[candidates[order[:n]]] = True
    above = tree.lifted(chosen)
    return np.where(above >= 0, above, cut).astype(np.int32)


def _costs_above(cut: np.ndarray, tree: ItemTree, occurrences: np.ndarray) -> np.ndarray:
    """Return what it costs, in leaves by occurrence, to publish all items under each node as that node."""
    now, times = np.zeros(len(tree), np.int64), np.zeros(len(tree), np.int64)
    np.add.at(now, cut, tree.leaves[cut] * occurrences)
    np.add.at(times, cut, occurrences)
    for node in range(len(tree) - 1):  # what is above a node has a higher number
        now[tree.parents[node]] += now[node]
        times[tree.parents[node]] += times[node]
    return tree.leaves * times - now


def lowered_cut(
    matrix: RatingMatrix, classes: Grouping, tree: ItemTree, cut: np.ndarray, fewest: np.ndarray
) -> np.ndarray:
    """Return the cut with every node split that can be, the one that costs most first.

    Splitting makes sets rarer, so a node that cannot be split now cannot be split later.
    """
    cut, occurrences, holders = cut.copy(), matrix.raters, matrix.by_item()
    waiting = [_priced(int(node), tree, cut, occurrences) for node in np.unique(cut) if node >= tree.n_items]
    heapq.heapify(waiting)
    with stage("splitting nodes that need not be joined", len(waiting)) as progress:
        while waiting:
            node = heapq.heappop(waiting)[1]
            split = _split(node, tree, cut)
            items = np.flatnonzero(cut == node)
            if _can_be_split(matrix, classes, holders, tree, split, items, fewest, occurrences):
                cut = split
                for child in np.unique(split[items]):
                    if child >= tree.n_items:
                        heapq.heappush(waiting, _priced(int(child), tree, cut, occurrences))
            progress.advance()
    return cut


def _priced(node: int, tree: ItemTree, cut: np.ndarray, occurrences: np.ndarray) -> tuple[int, int]:
    return -int(tree.leaves[node] * occurrences[cut == node].sum()), node


def _split(node: int, tree: ItemTree, cut: np.ndarray) -> np.ndarray:
    """Return the cut with the children of a node in its place."""
    chosen = tree.parents == node
    below = tree.lifted(chosen)
    return np.where(cut == node, below, cut).astype(np.int32)


def _can_be_split(
    matrix: RatingMatrix,
    classes: Grouping,
    holders: RatingMatrix,
    tree: ItemTree,
    split: np.ndarray,
    items: np.ndarray,
    fewest: np.ndarray,
    occurrences: np.ndarray,
) -> bool:
    """Decide whether no set with one of the nodes of these items is rare: all others are as they were."""
    children, numbers = np.unique(split[items], return_inverse=True)
    times = np.bincount(numbers, occurrences[items])
    if ((times > 0) & (times < fewest[0])).any():
        return False
    spans = [holders.indices[holders.indptr[item] : holders.indptr[item + 1]] for item in items]
    rows = np.unique(np.concatenate(spans)).astype(np.int64)
    nodes, place = np.unique(split, return_inverse=True)
    held = matrix.take(rows).joined(tree.labels.select(nodes), place.astype(np.int32))
    within, number = items_within_classes(held, Grouping(classes.labels[rows], classes.n_groups))
    is_first = np.isin(nodes[number], children)
    first, others = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    ranked = _ranked(within, np.arange(len(within)), np.concatenate([first, others]))
    return not count_rare_sets(*ranked.arrays, 0, len(first), fewest, True).any()


def _ranked(matrix: RatingMatrix, rows: np.ndarray, items: np.ndarray | None = None) -> RankedRows:
    return RankedRows.of(matrix, rows, np.ones(len(rows), np.int64), items)
