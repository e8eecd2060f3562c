"""Records withheld: how many people are not in the release at all."""

from .comparison import Comparison
from .measure import measure

__all__ = ["records_withheld"]


@measure("records withheld", unit="records")
def records_withheld(comparison: Comparison) -> int:
    """Count the original records that were not published."""
    return comparison.withheld
