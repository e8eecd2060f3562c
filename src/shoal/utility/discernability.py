"""Discernability: each published record costs the size of its group, each withheld one the size of the data.

Bayardo and Agrawal 2005: Σ |group|² + withheld · n. Exact, in whole numbers.
"""

from .comparison import Comparison
from .measure import measure

__all__ = ["discernability"]


@measure("discernability", unit="pairs of records")
def discernability(comparison: Comparison) -> int:
    """Give the discernability penalty of a release."""
    n = len(comparison.origins) + comparison.withheld
    return sum(int(size) ** 2 for size in comparison.sizes) + comparison.withheld * n
