"""Equivalence classes: their average size, and the pairs of records that cannot be distinguished (discernability).

**Discernability**: each published record costs the size of its equivalence class, each withheld one the number of all
records. Bayardo and Agrawal 2005: Σ |group|² + withheld · n. Exact, in whole numbers.

**Normalized average group size**: how many times larger groups are than the promise requires.

*Definition.* C_avg = (published records / equivalence classes) / k, for the promised k. *Unit.* Times k; 1 is the least
where k-anonymity holds.

*Reference.* LeFevre et al. 2006; thesis 3.5.

**Weighted discernability**: pairs of records that cannot be distinguished, weighted by how useful the distinction was.

*Definition.* Every ordered pair of published records in one group costs ΣPᵢ, over the quasi-identifiers in which their
originals differ, divided by ΣPᵢ over all of them; Pᵢ is the priority of a quasi-identifier. A withheld record costs as
much with each of all records. So a pair that agrees in all that is useful costs nothing, and no pair costs more than it
does to discernability. Without priorities, all quasi-identifiers weigh the same. *Unit.* Pairs of records; 0 is the
least.

*Reference.* Thesis 4.5.3 and Figure 4.6 measure a "weighted DM" by the priorities of attributes, and do not define it.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.data import Column, Microdata
from shoal.engines import LocalEngine
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

__all__ = ["average_group_size", "discernability", "normalized_group_size", "weighted_discernability"]


@measure("discernability", unit="pairs of records", place=150, whole=True)
def discernability(comparison: Comparison) -> int:
    """The sum of squared group sizes, plus the number of all records for each record withheld."""
    n = len(comparison.origins) + comparison.withheld
    return sum(int(size) ** 2 for size in comparison.sizes) + comparison.withheld * n


@measure("average group size", unit="records", place=160, whole=True)
def average_group_size(comparison: Comparison) -> float:
    """The number of published records per equivalence class."""
    return len(comparison.origins) / len(comparison.sizes)


@measure("normalized average group size", unit="times k", place=170, whole=True)
def normalized_group_size(comparison: Comparison) -> float:
    """The average group size divided by the promised k."""
    if comparison.k is None:
        raise Unmeasurable("No k is promised.")
    return average_group_size(comparison) / comparison.k


@measure("weighted discernability", unit="pairs of records", quick=False, place=320)
def weighted_discernability(comparison: Comparison) -> float:
    """The pairs of indistinguishable records, weighted by the priority of the quasi-identifiers that differed."""
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
    """Count the ordered pairs of records that differ in a column and can no longer be distinguished."""
    n, values = len(original.codes), len(original.vocabulary)
    alike = np.unique(labels * values + original.codes[origins], return_counts=True)[1]
    published = int((np.bincount(labels).astype(np.int64) ** 2).sum() - (alike**2).sum())
    withheld = np.ones(n, np.bool_)
    withheld[origins] = False
    others = n - np.bincount(original.codes, minlength=values)
    return published + int(others[original.codes[withheld]].sum())
