"""Average group size: how many published records look alike, on average over the groups."""

from .comparison import Comparison
from .measure import measure

__all__ = ["average_group_size"]


@measure("average group size", unit="records")
def average_group_size(comparison: Comparison) -> float:
    """Give records divided by groups."""
    return len(comparison.origins) / len(comparison.sizes)
