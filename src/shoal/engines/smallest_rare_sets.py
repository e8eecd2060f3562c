"""By which few items records are rare: the smallest set of each that too few groups, or people, hold."""

from dataclasses import dataclass

import numpy as np

from shoal.data import RankedRows, RatingMatrix
from shoal.evidence import Grouping, NeedItemSets
from shoal.kernels.matching.smallest_rare_sets import find_smallest_rare_sets
from shoal.progress import stage

__all__ = ["SmallestRareSets", "smallest_rare_sets"]

_NAMED = 5
"""How many items of a set are named."""
_MOST_STEPS = 10**10
"""About how many entries a search may look at: some tens of seconds."""


@dataclass(frozen=True, eq=False, repr=False)
class SmallestRareSets:
    """A set of items for each of some records."""

    sizes: np.ndarray
    """How many items it has: int64; −1 where it was not found in time."""
    items: np.ndarray
    """The codes of its first items, the rarest first, a line for each record; −1 where there are fewer: int64."""


def smallest_rare_sets(
    matrix: RatingMatrix,
    grouping: Grouping,
    people: np.ndarray,
    need: NeedItemSets,
    rows: np.ndarray,
    *,
    steps: int = _MOST_STEPS,
) -> SmallestRareSets:
    """Return for each of these rows the smallest of its sets that fewer hold than are enough.

    Of equally small sets it is one that the fewest hold. ``people`` are those of each group, and every row holds a rare
    set. The search is given up after a number of steps.
    """
    firsts = np.unique(grouping.labels, return_index=True)[1]
    weights = people.astype(np.int64) if need.people else np.ones(len(firsts), np.int64)
    lists = RankedRows.of(matrix, firsts, weights)
    most = min(need.items, int(np.diff(lists.starts).max(initial=1)))
    sizes, numbers = np.zeros(len(firsts), np.int64), np.zeros(len(firsts), np.int64)
    sizes[grouping.labels[rows]] = 0 if weights.sum() < need.enough else most + 1  # too few may hold the empty set
    ranks = np.full((len(firsts), min(most, _NAMED)), -1, np.int32)
    size, left = 1, steps
    with stage("looking for the smallest rare sets") as progress:
        while size <= most and left >= 0 and (sizes > most).any():
            found = sizes, numbers, ranks
            left = find_smallest_rare_sets(*lists.arrays, weights, 0, len(lists.items), size, need.enough, *found, left)
            size += 1
            progress.advance()
    sizes[sizes > most] = -1
    own = ranks[grouping.labels[rows]]
    return SmallestRareSets(sizes[grouping.labels[rows]], np.where(own >= 0, lists.items[own], -1))
