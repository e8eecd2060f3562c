"""Link confidence: how sure an attacker may be that a person rated an item with which the person's group is published.

If everybody rated an item with probability p, independently of everybody else, and a group of k is published with an
item exactly if one of them rated it, then the probability that a given one of them did is p / (1 − (1 − p)ᵏ).

That is never less than 1/k, and more for every p above 0. Theorem 6.2 of Chang, Thompson, Wang and Yao, Predictive
Anonymization (2010), says that it is at most 1/k for an attacker without prior knowledge; its proof says "at least",
and that is true. Theorem 6.3 bounds it by 1/k + p/(2 − k·p) for p ≤ 1/k (:func:`link_confidence_bound`), which is
true under the same assumption. Both assume what is not so: members of a group were put together because they
rate alike, so that one having rated an item makes it likelier that another did.

*Definition.* For every published profile and every non-sensitive item that it holds, the exact posterior p / (1 − (1 −
p)ᵏ) of :mod:`shoal.utility.ratings.link_confidence`, where k is the number of people who are published with an equal
profile and p the share of all original people who rated the item; the measure is the highest of them. Items that nobody
rated are left out. It assumes that people rate independently of each other, and that a group is published with an item
exactly if one of them rated it; where predictions are published too, a cell discloses less than that, down to nothing
where profiles are complete: the attacker then knows p, as before. *Unit.* A probability.

*Reference.* Theorems 6.2 and 6.3 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010).
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import overload

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.kernels.row_comparison import equal_rows
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

from .items import rating_blocks

__all__ = [
    "DistinctProfiles",
    "distinct_profiles",
    "highest_link_confidence",
    "link_confidence",
    "link_confidence_bound",
]


@dataclass(frozen=True)
class DistinctProfiles:
    """Each non-sensitive profile once, whether it was published once for several people or once for each of them."""

    matrix: RatingMatrix
    people: np.ndarray
    """How many people each stands for."""
    of_released: np.ndarray
    """For each released record, which of them it is."""

    def __len__(self) -> int:
        return len(self.matrix)


def distinct_profiles(comparison: Comparison) -> DistinctProfiles:
    """Return the distinct profiles of a release of ratings."""
    released = comparison.released
    assert isinstance(released, Ratings)
    matrix = released.observable
    labels, found = equal_rows(matrix.indptr, matrix.indices, matrix.codes)
    people = np.ones(len(released), np.int64) if released.people is None else released.people
    counts = np.zeros(found, np.int64)
    np.add.at(counts, labels, people)
    if found == len(released):  # numbered as they come, so there is nothing to copy
        return DistinctProfiles(matrix, counts, labels)
    firsts = np.unique(labels, return_index=True)[1]
    return DistinctProfiles(matrix.take(firsts), counts, labels)


@overload
def link_confidence(p: Fraction, k: int) -> Fraction: ...
@overload
def link_confidence(p: float, k: int) -> float: ...
def link_confidence(p: Fraction | float, k: int) -> Fraction | float:
    """Return p / (1 − (1 − p)ᵏ): exactly for a fraction, and to the precision of a float for a float.

    The share p is above 0 and at most 1: where nobody rates an item, no group is published with it. Toward 0 it goes
    to 1/k.
    """
    assert 0 < p <= 1
    assert k >= 1
    if isinstance(p, Fraction):
        return p / (1 - (1 - p) ** k)
    return 1.0 if p == 1 else p / -math.expm1(k * math.log1p(-p))


def link_confidence_bound(p: Fraction, k: int) -> Fraction | None:
    """Return the paper's bound on it, 1/k + p/(2 − k·p), or None where p is above 1/k and the theorem says nothing."""
    assert 0 < p <= 1
    assert k >= 1
    return Fraction(1, k) + p / (2 - k * p) if k * p <= 1 else None


@measure("link confidence", unit="probability", quick=False, place=470, of_items=True)
def highest_link_confidence(comparison: Comparison) -> float:
    """The highest posterior probability that a person rated an item with which the person's group is published."""
    whole = comparison.whole
    if not (isinstance(whole, Ratings) and isinstance(comparison.released, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    raters = np.bincount(whole.observable.indices, minlength=len(whole.observable.items))
    sizes = _smallest_groups(comparison.once(distinct_profiles))
    known = (raters > 0) & (sizes > 0)
    if not known.any():
        raise Unmeasurable("No non-sensitive item that somebody rated is published.")
    # the smaller the group, the higher the posterior: the smallest group with an item is enough
    pairs = zip((raters[known] / len(whole)).tolist(), sizes[known].tolist(), strict=True)
    return max(link_confidence(share, size) for share, size in pairs)


def _smallest_groups(profiles: DistinctProfiles) -> np.ndarray:
    """Return by item the size of the smallest group whose profile holds it; 0 where none does."""
    sizes = np.full(len(profiles.matrix.items), np.iinfo(np.int64).max)
    for items, _, people in rating_blocks(profiles.matrix, profiles.people):
        np.minimum.at(sizes, items, people)
    return np.where(sizes == np.iinfo(np.int64).max, 0, sizes)
