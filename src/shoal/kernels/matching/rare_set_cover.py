"""Which entries of rows to drop so that no row has a rare set of columns, and which may be put back.

Rows are those of :mod:`.set_support`, and what is not rare is a tree of :mod:`.frequent_sets`. Of the rare sets of a
row those count that are frequent without their last column: whoever breaks these breaks all. Each row is mended by
itself.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.compressed_rows import lower_bound

from .frequent_sets import extended_set

__all__ = ["dropped_entries", "kept_of_rows", "missing_entries", "restored_entries"]


@compiled(parallel=True)
def dropped_entries(
    starts: np.ndarray,
    ranks: np.ndarray,
    n_rare: int,
    columns: np.ndarray,
    begins: np.ndarray,
    first_columns: np.ndarray,
    first_begins: np.ndarray,
    size: int,
) -> np.ndarray:
    """Return a mask of entries without which no row has a rare set of at most ``size`` columns.

    The first ``n_rare`` columns are rare by themselves. Of the others, the one in the most rare sets goes first, of
    several the most common.
    """
    dropped = np.zeros(len(ranks), np.bool_)
    tree = columns, begins, first_columns, first_begins
    for row in prange(len(starts) - 1):
        mine, gone = ranks[starts[row] : starts[row + 1]], dropped[starts[row] : starts[row + 1]]
        for i in range(len(mine)):
            gone[i] = mine[i] < n_rare
        rare = np.zeros(len(mine), np.int64)
        _add_rare_sets(mine, gone, tree, size, -1, 1, rare)
        while True:
            worst = -1
            for i in range(len(mine)):
                if not gone[i] and rare[i] > 0 and (worst < 0 or rare[i] >= rare[worst]):
                    worst = i
            if worst < 0:
                break
            _add_rare_sets(mine, gone, tree, size, worst, -1, rare)
            gone[worst] = True
    return dropped


@compiled(parallel=True)
def restored_entries(
    starts: np.ndarray,
    ranks: np.ndarray,
    dropped: np.ndarray,
    n_rare: int,
    columns: np.ndarray,
    begins: np.ndarray,
    first_columns: np.ndarray,
    first_begins: np.ndarray,
    size: int,
) -> np.ndarray:
    """Return the mask of the dropped entries without those that make no rare set of columns if they are put back.

    The most common columns are put back first.
    """
    left = dropped.copy()
    tree = columns, begins, first_columns, first_begins
    for row in prange(len(starts) - 1):
        mine, gone = ranks[starts[row] : starts[row + 1]], left[starts[row] : starts[row + 1]]
        rare = np.zeros(len(mine), np.int64)
        for i in range(len(mine) - 1, -1, -1):
            if gone[i] and mine[i] >= n_rare:
                gone[i] = False
                _add_rare_sets(mine, gone, tree, size, i, 1, rare)
                gone[i] = rare[i] > 0
                rare[i] = 0
    return left


@compiled
def _add_rare_sets(mine, gone, tree, size, needed, amount, rare):
    """Add an amount to each column of a row for every rare set it is in; if one is needed, for the sets with it.

    Sets are gone through in the order of their columns, as long as they are frequent.
    """
    columns, begins, first_columns, first_begins = tree
    chosen, number = np.full(size, -1, np.int64), np.zeros(size, np.int64)
    depth = 0
    while depth >= 0:
        chosen[depth] += 1
        i = chosen[depth]
        has = _has(chosen, depth, needed)
        if i >= len(mine) or (not has and i > needed):
            depth -= 1
            continue
        if gone[i] or (not has and i != needed and depth + 1 == size):
            continue
        number[depth] = mine[i]
        if depth:
            number[depth] = extended_set(
                columns, begins, first_columns, first_begins, depth - 1, number[depth - 1], mine[i]
            )
        if number[depth] < 0:
            if has or i == needed:
                for j in range(depth + 1):
                    rare[chosen[j]] += amount
        elif depth + 1 < size:
            depth += 1
            chosen[depth] = i


@compiled
def _has(chosen, depth, needed):
    """Return whether the needed place is among those chosen before, or none is needed."""
    if needed < 0:
        return True
    for j in range(depth):
        if chosen[j] == needed:
            return True
    return False


@compiled(parallel=True)
def missing_entries(
    starts: np.ndarray, ranks: np.ndarray, other_starts: np.ndarray, other_ranks: np.ndarray
) -> np.ndarray:
    """Return the mask of the entries that the same row of another matrix does not have."""
    missing = np.ones(len(ranks), np.bool_)
    for row in prange(len(starts) - 1):
        end = other_starts[row + 1]
        for place in range(starts[row], starts[row + 1]):
            at = lower_bound(other_ranks, other_starts[row], end, ranks[place])
            missing[place] = at == end or other_ranks[at] != ranks[place]
    return missing


@compiled(parallel=True)
def kept_of_rows(
    indptr: np.ndarray,
    indices: np.ndarray,
    rank: np.ndarray,
    starts: np.ndarray,
    ranks: np.ndarray,
    dropped: np.ndarray,
) -> np.ndarray:
    """Return the mask of the entries of rows, as they were before their columns became ranks, that are not dropped."""
    kept = np.ones(len(indices), np.bool_)
    for row in prange(len(indptr) - 1):
        for i in range(indptr[row], indptr[row + 1]):
            kept[i] = not dropped[lower_bound(ranks, starts[row], starts[row + 1], rank[indices[i]])]
    return kept
