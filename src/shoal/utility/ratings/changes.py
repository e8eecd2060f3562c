"""What became of the ratings: kept, covered, dropped or invented, how much is lost, and what the changes cost.

**Ratings covered**: the share of the ratings given in whose place something is published.

*Definition.* The non-sensitive ratings of the original records, less those that are published as null and those of
withheld records, divided by all of them; 1 where nobody rated anything. What is published in their place may have been
changed, or be a prediction. *Unit.* A share.

**Ratings kept**: the share of the ratings given that are still published, changed or not.

*Definition.* As ratings covered; 0 where a method publishes something else in the place of ratings, such as predictions
or averages of groups, even where it happens to equal the rating. *Unit.* A share.

**Rating loss**: how much of the ratings given is lost.

*Definition.* The mean over the non-sensitive ratings of all original records of: 1 where nothing is published in its
place (dropped or withheld); otherwise the distance of what is published from the rating, divided by the span of the
scale; for an item that is published generalized, the share of the leaves of the hierarchy that its label stands for. 0
where nobody rated anything. Invented ratings are not part of it. *Unit.* A share: 0 where every rating is
published as given, 1 where none is left.

**Cost**: what the changes cost at the default prices of the methods.

*Definition.* Changing a rating by one step of the scale costs 1, inventing a rating three quarters of the span of the
scale and dropping one half of it (:class:`shoal.anonymizers.RatingCosts`): 3 and 2 on a scale of five points. *Unit.*
Steps of the scale.

*Reference.* The survey-rating paper prices an invented or dropped rating by its place on the scale (see distortion), so
that inventing a 1 is cheaper than changing a 1 to 3; here every invented rating costs the same.
"""

from fractions import Fraction

from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

__all__ = [
    "cost",
    "covered_and_given",
    "rating_loss",
    "ratings_covered",
    "ratings_dropped",
    "ratings_invented",
    "ratings_kept",
]


@measure("ratings kept", unit="share of ratings", place=80, unchanged=1)
def ratings_kept(comparison: Comparison) -> float:
    """The share of the ratings given that are still published, changed or not."""
    covered = ratings_covered(comparison)
    return 0.0 if comparison.replaced else covered


@measure("ratings covered", unit="share of ratings", place=90, unchanged=1)
def ratings_covered(comparison: Comparison) -> float:
    """The share of the ratings given in whose place something is published, be it a prediction."""
    covered, given = covered_and_given(comparison)
    return covered / given if given else 1.0


def covered_and_given(comparison: Comparison) -> tuple[int, int]:
    """Return the number of ratings in whose place something is published, and the number of ratings given."""
    ratings = comparison.ratings
    if ratings is None:
        raise Unmeasurable("Defined on ratings only.")
    given, by_published = comparison.n_given
    return by_published - ratings.dropped, given


@measure("ratings dropped", unit="ratings", place=60, unchanged=0, of_ratings=True)
def ratings_dropped(comparison: Comparison) -> int:
    """The number of ratings that were given and are published as null."""
    return 0 if comparison.ratings is None else comparison.ratings.dropped


@measure("ratings invented", unit="ratings", place=50, unchanged=0, of_ratings=True)
def ratings_invented(comparison: Comparison) -> int:
    """The number of ratings published that nobody gave."""
    return 0 if comparison.ratings is None else comparison.ratings.invented


@measure("rating loss", unit="share of ratings", place=110, unchanged=0)
def rating_loss(comparison: Comparison) -> float:
    """The mean distance of published ratings from those given, as a share of the scale; a missing one counts 1."""
    covered, given = covered_and_given(comparison)
    ratings, original = comparison.ratings, comparison.original
    assert ratings is not None
    assert isinstance(original, Ratings)
    moved = ratings.moved_steps / max(original.scale.points - 1, 1)
    return (given - covered + moved + ratings.penalty) / given if given else 0.0


@measure("cost", unit="steps of the scale", place=30, unchanged=0, of_marks=True)
def cost(comparison: Comparison) -> float:
    """The steps by which ratings were changed, plus the default price of each rating invented or dropped."""
    ratings = comparison.ratings
    if ratings is None or not isinstance(comparison.whole, Ratings):
        raise Unmeasurable("Defined on ratings only.")
    prices = RatingCosts.on(comparison.whole.scale)
    moved = Fraction(ratings.moved_steps, ratings.parts)
    return float(moved + prices.invent * ratings.invented + prices.drop * ratings.dropped)
