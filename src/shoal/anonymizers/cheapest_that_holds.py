"""The cheapest of several ways to publish ratings that keep promises."""

from collections.abc import Sequence

from shoal.data import Ratings
from shoal.engines import Engine, judge
from shoal.models import PrivacyModel

from .rating_costs import RatingCosts

__all__ = ["cheapest_that_holds"]


def cheapest_that_holds(
    made: Sequence[Ratings], given: Ratings, models: Sequence[PrivacyModel], engine: Engine, costs: RatingCosts
) -> Ratings:
    """Return the cheapest of those on which every promise holds; where it does on none, the last."""
    for ratings in sorted(made, key=lambda one: costs.between(given.observable, one.observable)):
        if judge(ratings, models, engine).holds:
            return ratings
    return made[-1]
