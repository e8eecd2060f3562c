"""How diverse the values of a group are by recursive (c,l)-diversity."""

from fractions import Fraction

import numpy as np

from shoal.evidence import ValueCounts

__all__ = ["fewest_too_common", "largest_l"]


def largest_l(counts: ValueCounts, c: Fraction) -> np.ndarray:
    """Give for each group the largest l with r₁ < c·(r_l + … + r_m), r₁ ≥ r₂ ≥ … being how common its values are."""
    groups = counts.groups
    common_first = counts.counts[np.lexsort((-counts.counts, groups))]
    before = np.cumsum(common_first) - common_first
    starts = np.repeat(counts.indptr[:-1], counts.n_distinct)
    left = counts.sizes[groups] - (before - before[starts])
    return counts.sums((left >= _needed(common_first[starts], c)).astype(np.int64))


def fewest_too_common(counts: ValueCounts, l: int, c: Fraction) -> np.ndarray:  # noqa: E741
    """Return for each group how many of its records are in parts that are not diverse, at least, however it is split.

    Together, diverse parts have r₁ < c·(r_l + … + r_m), and that sum is no larger than that of the whole group: of no
    value can more records be in diverse parts than that allows.
    """
    groups = counts.groups
    rank = np.arange(len(groups)) - np.repeat(counts.indptr[:-1], counts.n_distinct)
    common_first = counts.counts[np.lexsort((-counts.counts, groups))]
    rest = counts.sums(np.where(rank >= l - 1, common_first, 0))
    distinct, place = np.unique(rest, return_inverse=True)
    largest = np.iinfo(np.int64).max
    # the largest whole number below c times the rest
    allowed = [max(min(-(-int(number) * c.numerator // c.denominator) - 1, largest), 0) for number in distinct]
    return counts.sums(np.maximum(counts.counts - np.array(allowed, np.int64)[place][groups], 0))


def _needed(most: np.ndarray, c: Fraction) -> np.ndarray:
    """Give the least whole number above most / c, in whole numbers of any length."""
    distinct, place = np.unique(most, return_inverse=True)
    largest = np.iinfo(np.int64).max
    needed = [min(int(number) * c.denominator // c.numerator + 1, largest) for number in distinct]
    return np.array(needed, np.int64)[place]
