"""Ratings covered: the share of the ratings given in whose place something is published.

*Definition.* The non-sensitive ratings of the original records, less those that are published as null and those of
withheld records, divided by all of them; 1 where nobody rated anything. What is published in their place may have been
moved, or be a prediction. *Unit.* A share.
"""

from shoal.data import Ratings

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["ratings_covered"]


@measure("ratings covered", unit="share of ratings")
def ratings_covered(comparison: Comparison) -> float:
    """Return the share of the ratings given in whose place something is published."""
    ratings, whole, original = comparison.ratings, comparison.whole, comparison.original
    if ratings is None:
        raise Unmeasurable("Defined on ratings only.")
    assert isinstance(whole, Ratings)
    assert isinstance(original, Ratings)
    given = whole.observable.n_ratings
    return (original.observable.n_ratings - ratings.dropped) / given if given else 1.0
