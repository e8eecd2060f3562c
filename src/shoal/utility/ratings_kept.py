"""Ratings kept: the share of the ratings given that are still published, moved or not.

*Definition.* As ratings covered; 0 where a method publishes something else in the place of ratings, such as predictions
or averages of groups, even where it happens to equal the rating. *Unit.* A share.
"""

from .comparison import Comparison
from .measure import measure
from .ratings_covered import ratings_covered

__all__ = ["ratings_kept"]


@measure("ratings kept", unit="share of ratings")
def ratings_kept(comparison: Comparison) -> float:
    """Return the share of the ratings given that are still published, moved or not."""
    covered = ratings_covered(comparison)
    return 0.0 if comparison.replaced else covered
