"""How many people hold the rarest set of at most m items of each group of equal profiles.

For m = 1 that is a count by item. For more, sets are built from the rarest item on, and whoever holds a set is counted
by each item that it can be extended by. A profile drops out once its number cannot be lowered in a way that counts: no
set of its items is held by fewer people than hold all of them, so those who share a whole profile with enough others
need not be looked at. What is left takes about as many steps as there are sets of at most m items in the profiles, and
is given up after a number of them.
"""

import numpy as np

from shoal.data import RankedRows, RatingMatrix
from shoal.errors import WordingError
from shoal.evidence import Grouping
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.matching.set_support import lower_by_support
from shoal.kernels.row_comparison import equal_patterns
from shoal.progress import stage

__all__ = ["fewest_people_with_items"]

_MOST_STEPS = 10**11
"""About how many entries a search may look at: a few minutes on one core."""
_SPANS = 64
"""In how many spans of first items progress is reported, and the parts tell each other what they found."""


def fewest_people_with_items(
    matrix: RatingMatrix, grouping: Grouping, people: np.ndarray, items: int, enough: int, *, most: int = _MOST_STEPS
) -> np.ndarray:
    """Return for each group how many people hold the rarest set of at most ``items`` of its items.

    ``people`` are the people of each group. Numbers stop at ``enough`` or at the smallest of all, whichever is more.
    Where the search takes more than about ``most`` steps, it is refused, unless all numbers are known to be enough:
    then the smallest may come out too low.
    """
    rows = np.unique(grouping.labels, return_index=True)[1]
    patterns = equal_patterns(matrix.indptr, matrix.indices)[0][rows]
    firsts, patterns = np.unique(patterns, return_index=True, return_inverse=True)[1:]
    weights = np.zeros(len(firsts), np.int64)
    np.add.at(weights, patterns, people)
    fewest = _searched(matrix, rows[firsts], weights, items, enough, most)
    return np.minimum(fewest, max(enough, int(fewest.min(initial=int(people.sum())))))[patterns]


def _searched(
    matrix: RatingMatrix, rows: np.ndarray, weights: np.ndarray, items: int, enough: int, most: int
) -> np.ndarray:
    lists = RankedRows.of(matrix, rows, weights)
    fewest = np.full(len(rows), weights.sum(), np.int64)
    holds = lists.starts[1:] > lists.starts[:-1]
    fewest[holds] = lists.support[lists.ranks[lists.starts[:-1][holds]]]  # the first item of a profile is its rarest
    size = min(items, int(np.diff(lists.starts).max(initial=0)))
    if size < 2 or _lowered(lists, size, enough, fewest, most):
        return fewest
    if ((weights < enough) & (weights < fewest)).any():
        raise WordingError(
            f"These data hold too many sets of up to {items:,} items to count who holds each.",
            "Ask for a smaller m, or publish groups that share one set of items.",
        )
    return weights


def _lowered(lists: RankedRows, size: int, enough: int, fewest: np.ndarray, most: int) -> bool:
    """Lower the numbers by sets of two and more items, span by span; say whether that could be finished."""
    n_parts, weights = get_num_threads(), lists.weights
    steps = np.full(n_parts, most // n_parts, np.int64)
    with stage("looking for rare sets of items", len(lists.ranks)) as progress:
        for first, last in lists.spans(_SPANS):
            numbers = np.tile(fewest, (n_parts, 1))
            lower_by_support(*lists.arrays, weights, weights, first, last, size, enough, numbers, steps)
            np.minimum(fewest, numbers.min(axis=0), out=fewest)
            progress.advance(int(lists.begins[last] - lists.begins[first]))
            if (steps < 0).any():
                return False
    return True
