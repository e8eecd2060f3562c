"""Cost: what the release cost at the prices that methods reckon with unless told otherwise.

*Definition.* Moving a rating by one step of the scale costs 1, inventing a rating three quarters of the span of the
scale and dropping one half of it (:class:`shoal.anonymizers.RatingCosts`): 3 and 2 on a scale of five points. *Unit.*
Steps of the scale.

*Reference.* The survey-rating paper prices an invented or dropped rating by its place on the scale (see distortion),
so that inventing a 1 is cheaper than moving a 1 to 3; here every invented rating costs the same.
"""

from fractions import Fraction

from shoal.anonymizers.rating_costs import RatingCosts
from shoal.data import Ratings

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["cost"]


@measure("cost", unit="steps of the scale")
def cost(comparison: Comparison) -> float:
    """Give the steps that ratings were moved, plus the default price of each rating invented or dropped."""
    ratings = comparison.ratings
    if ratings is None or not isinstance(comparison.whole, Ratings):
        raise Unmeasurable("Defined on ratings only.")
    prices = RatingCosts.on(comparison.whole.scale)
    moved = Fraction(ratings.moved_steps, ratings.parts)
    return float(moved + prices.invent * ratings.invented + prices.drop * ratings.dropped)
