"""Ratings invented: how many published ratings were never given."""

from .comparison import Comparison
from .measure import measure

__all__ = ["ratings_invented"]


@measure("ratings invented", unit="ratings")
def ratings_invented(comparison: Comparison) -> int:
    """Count the ratings published where there was none; 0 for tables."""
    return 0 if comparison.ratings is None else comparison.ratings.invented
