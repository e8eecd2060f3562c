"""Ratings covered: the share of the ratings given in whose place something is published.

*Definition.* The non-sensitive ratings of the original records, less those that are published as null and those of
withheld records, divided by all of them; 1 where nobody rated anything. What is published in their place may have been
moved, or be a prediction. *Unit.* A share.
"""

from shoal.data import Ratings

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["covered_and_given", "ratings_covered"]


@measure("ratings covered", unit="share of ratings")
def ratings_covered(comparison: Comparison) -> float:
    """Return the share of the ratings given in whose place something is published."""
    covered, given = covered_and_given(comparison)
    return covered / given if given else 1.0


def covered_and_given(comparison: Comparison) -> tuple[int, int]:
    """Return in the place of how many ratings something is published, and how many were given."""
    ratings, whole, original = comparison.ratings, comparison.whole, comparison.original
    if ratings is None:
        raise Unmeasurable("Defined on ratings only.")
    assert isinstance(whole, Ratings)
    assert isinstance(original, Ratings)
    return original.observable.n_ratings - ratings.dropped, whole.observable.n_ratings
