"""Normalised average group size: how many times larger groups are than they would have to be.

*Definition.* C_avg = (published records / groups of equal ones) / k, for the k that is promised. *Unit.* Times k; 1
is the least where k-anonymity holds.

*Reference.* LeFevre et al. 2006; thesis 3.5.
"""

from .average_group_size import average_group_size
from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["normalised_group_size"]


@measure("normalised average group size", unit="times k")
def normalised_group_size(comparison: Comparison) -> float:
    """Give records divided by groups, divided by the k that is promised."""
    if comparison.k is None:
        raise Unmeasurable("No k is promised.")
    return average_group_size(comparison) / comparison.k
