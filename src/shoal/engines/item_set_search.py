"""How many groups of equal profiles hold the rarest set of at most b items of each group.

For b = 1 that is a count by item. For more it is a search through the sets of items that occur, rarest items first, in
which groups drop out as soon as no set can be rarer: no set of a group's items is held by fewer groups than hold all of
them. Groups that share one set of items are many, or are unlike others in few items, so most drop out at once; but in
the worst case the search is as hard as covering by sets, so it is given up after a number of steps.
"""

import numpy as np

from shoal.data import RatingMatrix
from shoal.errors import WordingError
from shoal.evidence import Grouping
from shoal.kernels.matching.item_sets import column_bitmaps, fewest_with_column, lower_to_rarest_sets, rows_with_all
from shoal.kernels.row_comparison import equal_patterns
from shoal.progress import stage

__all__ = ["fewest_groups_with_items"]

_MOST_STEPS = 4 * 10**10
"""About how many words a search may look at: a minute."""
_MOST_BYTES = 2**31
"""How large the bitmaps may be."""
_ITEMS_AT_A_TIME = 16
"""How many first items are searched before progress is reported."""


def fewest_groups_with_items(
    matrix: RatingMatrix, grouping: Grouping, items: int, enough: int, *, most: int = _MOST_STEPS
) -> np.ndarray:
    """Return for each group how many groups hold the rarest set of at most ``items`` of its items.

    Numbers stop at ``enough`` or at the smallest of all, whichever is more. Where the search takes more than about
    ``most`` steps, it is refused, unless all numbers are known to be enough: then the smallest may come out too low.
    """
    rows = np.unique(grouping.labels, return_index=True)[1]
    if items == 1 or len(rows) < 2:
        fewest = fewest_with_column(matrix.indptr, matrix.indices, rows, len(matrix.items))
    else:
        fewest = _searched(matrix, rows, items, enough, most)
    return np.minimum(fewest, max(enough, int(fewest.min(initial=len(rows)))))


def _searched(matrix: RatingMatrix, rows: np.ndarray, items: int, enough: int, most: int) -> np.ndarray:
    patterns = equal_patterns(matrix.indptr, matrix.indices)[0][rows]
    firsts, patterns, sharing = np.unique(patterns, return_index=True, return_inverse=True, return_counts=True)[1:]
    bounds, fewest = sharing[patterns], np.full(len(rows), len(rows), np.int64)
    finished = len(sharing) == 1
    if not finished and len(matrix.items) * (len(rows) // 64 + 1) * 8 <= _MOST_BYTES:
        bits = column_bitmaps(matrix.indptr, matrix.indices, rows, len(matrix.items))[0]
        sharing, most = rows_with_all(bits, len(rows), firsts, sharing, most)
        bounds = sharing[patterns]
        finished = _lowered(bits, items, enough, bounds, fewest, most)
    if finished:
        return fewest
    if ((bounds < enough) & (bounds < fewest)).any():
        raise WordingError(
            f"These data hold too many sets of up to {items:,} items to count who shares each.",
            "Ask for a smaller b, or publish groups that share one set of items.",
        )
    return bounds


def _lowered(bits: np.ndarray, items: int, enough: int, bounds: np.ndarray, numbers: np.ndarray, steps: int) -> bool:
    """Lower the numbers as far as it counts, first item by first item; say whether that could be finished."""
    with stage("looking for rare sets of items", len(bits)) as progress:
        for first in range(0, len(bits), _ITEMS_AT_A_TIME):
            if steps < 0:
                return False
            last = min(first + _ITEMS_AT_A_TIME, len(bits))
            steps = lower_to_rarest_sets(bits, first, last, min(items, len(bits)), enough, bounds, numbers, steps)
            progress.advance(last - first)
    return steps >= 0
