"""Groups of dense rows by how dissimilar these are: mean penalties of the differences, and groups that fill up.

A penalty is a function of an absolute difference, from 0 where there is none to 1 where it is as large as can be.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["BEYOND", "CONCAVE", "HALVES", "SQUARES", "dissimilarities", "fill_groups", "padded_rows"]


BEYOND, HALVES, SQUARES, CONCAVE = range(4)
"""Penalties: whether the difference is beyond a limit; the number of whole halves in it; its square; and
1 − (1 − d)² of the difference d as a share of the largest."""
_BLOCK = 16
"""Rows that share the memory for sums."""


@compiled(parallel=True)
def padded_rows(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    rows: np.ndarray,
    highest: float,
    known: bool,
) -> np.ndarray:
    """Return rows of ``left @ right.T``, kept between 0 and highest; if ``known``, with the known values in place.

    The products are added up in the same order on any number of threads.
    """
    made = np.empty((len(rows), len(right)), np.float32)
    for i in prange(len(rows)):
        row = rows[i]
        for column in range(len(right)):
            total = np.float32(0)
            for factor in range(left.shape[1]):
                total += left[row, factor] * right[column, factor]
            made[i, column] = min(max(total, np.float32(0)), np.float32(highest))
        if known:
            for place in range(indptr[row], indptr[row + 1]):
                made[i, indices[place]] = data[place]
    return made


@compiled(parallel=True)
def dissimilarities(rows: np.ndarray, others: np.ndarray, penalty: int, limit: float, largest: float) -> np.ndarray:
    """Return, rows × others, the mean penalty of the differences between two rows of float32; 0 without columns.

    ``largest`` is the largest possible difference. ``limit`` is that of the penalty BEYOND.
    """
    n, width = rows.shape
    across = others.T.copy()  # so that the innermost loop runs over others, and many are done at once
    apart = np.zeros((n, len(others)), np.float32)
    for block in prange((n + _BLOCK - 1) // _BLOCK):
        sums = np.empty(len(others), np.float32)
        for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
            sums[:] = 0
            for column in range(width):
                _add_penalties(sums, rows[i, column], across[column], penalty, np.float32(limit), np.float32(largest))
            for other in range(len(sums)):
                apart[i, other] = sums[other] / np.float32(max(width, 1))
    return apart


@compiled
def _add_penalties(sums, value, line, penalty, limit, largest):
    """Add the penalty of each difference between the value and those of the line."""
    if penalty == BEYOND:
        for place in range(len(sums)):
            sums[place] += np.float32(1) if abs(value - line[place]) > limit else np.float32(0)
    elif penalty == HALVES:
        for place in range(len(sums)):
            halves = np.floor(abs(value - line[place]) * np.float32(2))
            sums[place] += halves / (np.float32(2) * largest)
    elif penalty == SQUARES:
        for place in range(len(sums)):
            share = (value - line[place]) / largest
            sums[place] += share * share
    else:
        for place in range(len(sums)):
            alike = np.float32(1) - abs(value - line[place]) / largest
            sums[place] += np.float32(1) - alike * alike


@compiled
def fill_groups(order: np.ndarray, n_rows: int, n_groups: int, size: int) -> np.ndarray:
    """Label rows by group so that every group has at least ``size`` and less than twice as many.

    ``order`` lists all pairs, row · n_groups + group, the nearest first. A row goes to the first group on the list that
    has room; those left when all groups are full go to the nearest. There are at least ``size`` rows for each group,
    and less than ``size`` more than that.
    """
    labels = np.full(n_rows, -1, np.int64)
    sizes = np.zeros(n_groups, np.int64)
    for pair in order:
        row, group = pair // n_groups, pair % n_groups
        if labels[row] < 0 and sizes[group] < size:
            labels[row] = group
            sizes[group] += 1
    for pair in order:
        if labels[pair // n_groups] < 0:
            labels[pair // n_groups] = pair % n_groups
    return labels
