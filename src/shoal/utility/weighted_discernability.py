"""Weighted discernability: how many pairs of records are told alike, weighed by what was useful to tell them apart.

*Definition.* Every ordered pair of published records in one group costs ΣPᵢ, over the quasi-identifiers in which their
originals differ, divided by ΣPᵢ over all of them; Pᵢ is how useful a quasi-identifier is. A withheld record costs as
much with each of all records. So a pair that is alike in all that is useful costs nothing, and no pair costs more than
it does to discernability. Where nothing is said to be useful, all quasi-identifiers are as useful. *Unit.* Pairs of
records; 0 is the least.

*Reference.* Thesis 4.5.3 and Figure 4.6 measure a "weighted DM" by the priorities of attributes, and do not define it.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.data import Column, Microdata
from shoal.engines import LocalEngine

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["weighted_discernability"]


@measure("weighted discernability", unit="pairs of records", quick=False)
def weighted_discernability(comparison: Comparison) -> float:
    """Give the pairs of records told alike, each by the priority of the quasi-identifiers in which they differ."""
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
