"""Cost: what the release cost at the prices that methods reckon with unless told otherwise.

*Definition.* Moving a rating by one step of the scale costs 1, inventing a rating and dropping one what
:class:`shoal.anonymizers.RatingCosts` says by default. *Unit.* Steps of the scale.

*Reference.* The survey-rating paper prices an invented or dropped rating by its place on the scale (see distortion),
so that inventing a 1 is cheaper than moving a 1 to 3; here every invented rating costs the same.
"""

from shoal.anonymizers.rating_costs import RatingCosts

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["cost"]


@measure("cost", unit="steps of the scale")
def cost(comparison: Comparison) -> float:
    """Give the steps that ratings were moved, plus the default price of each rating invented or dropped."""
    ratings, prices = comparison.ratings, RatingCosts()
    if ratings is None:
        raise Unmeasurable("Defined on ratings only.")
    return float(ratings.moved_steps / ratings.parts + prices.invent * ratings.invented + prices.drop * ratings.dropped)
