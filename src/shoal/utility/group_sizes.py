"""Discernability: each published record costs the size of its group, each withheld one the size of the data.

Bayardo and Agrawal 2005: Σ |group|² + withheld · n. Exact, in whole numbers.

Normalized average group size: how many times larger groups are than they would have to be.

*Definition.* C_avg = (published records / groups of equal ones) / k, for the k that is promised. *Unit.* Times k; 1
is the least where k-anonymity holds.

*Reference.* LeFevre et al. 2006; thesis 3.5.

Weighted discernability: how many pairs of records are told alike, weighed by what was useful to tell them apart.

*Definition.* Every ordered pair of published records in one group costs ΣPᵢ, over the quasi-identifiers in which their
originals differ, divided by ΣPᵢ over all of them; Pᵢ is how useful a quasi-identifier is. A withheld record costs as
much with each of all records. So a pair that is alike in all that is useful costs nothing, and no pair costs more than
it does to discernability. Where nothing is said to be useful, all quasi-identifiers are as useful. *Unit.* Pairs of
records; 0 is the least.

*Reference.* Thesis 4.5.3 and Figure 4.6 measure a "weighted DM" by the priorities of attributes, and do not define it.

Number of key attributes: how few columns hold the others together.

*Definition.* The quasi-identifiers of the originals, numbers in ten bins of equal frequency, are joined to the tree of
least variation of information; the fewest columns of highest degree whose degrees add up to the number of columns are
the key attributes. *Unit.* Columns.

*Reference.* Thesis, Definition 5.3; the method ``microaggregation:method=approximate`` groups by them alone.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.data import Column, Microdata
from shoal.engines import LocalEngine
from shoal.evidence import BINS, column_keys

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = [
    "average_group_size",
    "discernability",
    "key_attribute_count",
    "normalized_group_size",
    "weighted_discernability",
]


@measure("discernability", unit="pairs of records", place=150)
def discernability(comparison: Comparison) -> int:
    """Return the discernability penalty of a release."""
    n = len(comparison.origins) + comparison.withheld
    return sum(int(size) ** 2 for size in comparison.sizes) + comparison.withheld * n


@measure("average group size", unit="records", place=160)
def average_group_size(comparison: Comparison) -> float:
    """Return records divided by groups."""
    return len(comparison.origins) / len(comparison.sizes)


@measure("normalized average group size", unit="times k", place=170)
def normalized_group_size(comparison: Comparison) -> float:
    """Return records divided by groups, divided by the k that is promised."""
    if comparison.k is None:
        raise Unmeasurable("No k is promised.")
    return average_group_size(comparison) / comparison.k


@measure("weighted discernability", unit="pairs of records", quick=False, place=320)
def weighted_discernability(comparison: Comparison) -> float:
    """Return the pairs of records told alike, each by the priority of the quasi-identifiers in which they differ."""
    whole, released = comparison.whole, comparison.released
    if not (isinstance(whole, Microdata) and isinstance(released, Microdata)):
        raise Unmeasurable("Defined on tables only.")
    if not released.quasi_identifiers:
        raise Unmeasurable("There is no quasi-identifier.")
    labels = LocalEngine().group(released).labels
    names = [column.name for column in released.quasi_identifiers]
    lost = [_lost(whole[name], comparison.origins, labels) for name in names]
    weights = _weights(comparison, names)
    return float(sum(weight * pairs for weight, pairs in zip(weights, lost, strict=True)) / sum(weights))


def _weights(comparison: Comparison, names: Sequence[str]) -> list[Fraction]:
    useful = comparison.priorities or {}
    weights = [useful.get(name, Fraction(0)) for name in names]
    return weights if any(weights) else [Fraction(1)] * len(names)


def _lost(original: Column, origins: np.ndarray, labels: np.ndarray) -> int:
    """Count the ordered pairs of records that differ in a column and can no longer be told apart."""
    n, values = len(original.codes), len(original.vocabulary)
    alike = np.unique(labels * values + original.codes[origins], return_counts=True)[1]
    published = int((np.bincount(labels).astype(np.int64) ** 2).sum() - (alike**2).sum())
    withheld = np.ones(n, np.bool_)
    withheld[origins] = False
    others = n - np.bincount(original.codes, minlength=values)
    return published + int(others[original.codes[withheld]].sum())


@measure("key attributes", unit="columns", quick=False, place=290)
def key_attribute_count(comparison: Comparison) -> int:
    """Return how many quasi-identifiers of the originals are key attributes."""
    if not isinstance(comparison.whole, Microdata):
        raise Unmeasurable("Defined on tables only.")
    if not comparison.whole.quasi_identifiers:
        raise Unmeasurable("There is no quasi-identifier.")
    return len(column_keys(comparison.whole.quasi_identifiers, BINS))
