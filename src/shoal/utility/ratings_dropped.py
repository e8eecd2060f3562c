"""Ratings dropped: how many ratings of published records are not published."""

from .comparison import Comparison
from .measure import measure

__all__ = ["ratings_dropped"]


@measure("ratings dropped", unit="ratings")
def ratings_dropped(comparison: Comparison) -> int:
    """Count the ratings that were given and are published as null; 0 for tables."""
    return 0 if comparison.ratings is None else comparison.ratings.dropped
