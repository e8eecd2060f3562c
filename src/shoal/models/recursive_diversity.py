"""How diverse the values of a group are by recursive (c,l)-diversity."""

from fractions import Fraction

import numpy as np

from shoal.evidence import ValueCounts

__all__ = ["largest_l"]


def largest_l(counts: ValueCounts, c: Fraction) -> np.ndarray:
    """Give for each group the largest l with r₁ < c·(r_l + … + r_m), r₁ ≥ r₂ ≥ … being how common its values are."""
    groups = counts.groups
    common_first = counts.counts[np.lexsort((-counts.counts, groups))]
    before = np.cumsum(common_first) - common_first
    starts = np.repeat(counts.indptr[:-1], counts.n_distinct)
    left = counts.sizes[groups] - (before - before[starts])
    return counts.sums((left >= _needed(common_first[starts], c)).astype(np.int64))


def _needed(most: np.ndarray, c: Fraction) -> np.ndarray:
    """Give the least whole number above most / c, in whole numbers of any length."""
    distinct, place = np.unique(most, return_inverse=True)
    largest = np.iinfo(np.int64).max
    needed = [min(int(number) * c.denominator // c.numerator + 1, largest) for number in distinct]
    return np.array(needed, np.int64)[place]
