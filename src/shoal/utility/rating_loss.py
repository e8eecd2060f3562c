"""Rating loss: how much of the ratings given is lost.

*Definition.* The mean over the non-sensitive ratings of all original records of: 1 where nothing is published in its
place (dropped or withheld); otherwise the distance of what is published from the rating, divided by the span of the
scale. 0 where nobody rated anything. Invented ratings are not part of it. *Unit.* A share: 0 where every rating is
published as given, 1 where none is left.
"""

from shoal.data import Ratings

from .comparison import Comparison
from .measure import measure
from .ratings_covered import covered_and_given

__all__ = ["rating_loss"]


@measure("rating loss", unit="share of ratings")
def rating_loss(comparison: Comparison) -> float:
    """Return the mean share of the scale's span by which ratings are off, those no longer published counting 1."""
    covered, given = covered_and_given(comparison)
    ratings, original = comparison.ratings, comparison.original
    assert ratings is not None
    assert isinstance(original, Ratings)
    moved = ratings.moved_steps / (original.scale.points - 1)
    return (given - covered + moved) / given if given else 0.0
