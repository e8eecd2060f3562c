"""The range of ranks that each value of a column tells of an ordered one.

*Definition.* Of the N people who carry a value, the N/40 with the lowest ranks and the N/40 with the highest, rounded
down, are set aside; the others span the range. It is told if those outside it are at most a tenth of those expected,
and at least ten are expected: as many of N people as of everybody.
"""

import numpy as np

from shoal.evidence import PairCounts

__all__ = ["told_ranges"]

_SET_ASIDE = 40
_FEWER = 10
_EXPECTED = 10


def told_ranges(pairs: PairCounts) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest rank for each value of the first column; all ranks where it tells none.

    The second column of the pairs is in ranks.
    """
    order = np.lexsort((pairs.other, pairs.one))
    one, rank, counts = pairs.one[order], pairs.other[order], pairs.counts[order]
    ends = np.cumsum(counts)
    before = np.concatenate([[0], np.cumsum(pairs.of_one)])  # people with lower values of the first column
    aside = pairs.of_one // _SET_ASIDE
    carried = pairs.of_one > 0
    lowest, highest = np.zeros(pairs.n_one, np.int64), np.full(pairs.n_one, pairs.n_other - 1)
    lowest[carried] = rank[np.searchsorted(ends, (before[:-1] + aside)[carried], side="right")]
    highest[carried] = rank[np.searchsorted(ends, (before[1:] - aside)[carried], side="left")]
    inside = _within(one, rank, counts, lowest, highest, pairs.n_one)
    below = np.concatenate([[0], np.cumsum(pairs.of_other)])
    n = int(below[-1])
    expected = pairs.of_one * (n - (below[highest + 1] - below[lowest]))  # times n
    told = carried & (_FEWER * n * (pairs.of_one - inside) <= expected) & (expected >= _EXPECTED * n)
    return np.where(told, lowest, 0), np.where(told, highest, pairs.n_other - 1)


def _within(
    one: np.ndarray, rank: np.ndarray, counts: np.ndarray, lowest: np.ndarray, highest: np.ndarray, n_one: int
) -> np.ndarray:
    inside = (lowest[one] <= rank) & (rank <= highest[one])
    return np.bincount(one[inside], counts[inside], minlength=n_one).astype(np.int64)
