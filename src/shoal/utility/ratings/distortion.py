"""Total distortion: how far the published cells are from the original ones.

On ratings, Definitions 5 and 6 of the survey-rating paper: the sum over all cells of the difference of the ratings. The
paper writes a missing rating as 0, so inventing or dropping a rating costs its place on the scale (on 1…r the rating
itself). On tables, the sum over all quasi-identifier cells of the share of the column's values that the published label
stands for, beyond the true one: 0 for a value told exactly, 1 for a cell that may be anything. The values a label
stands for are taken to be those that are published under it.

Distortion per cell: how far a cell that tells something is from the original, on average.

*Definition.* The total distortion divided by the cells in which there is anything to distort: on ratings those rated
before or after (a null that stays null tells nothing and cannot be distorted), on tables all cells of
quasi-identifiers. *Unit.* Rating points a cell; on tables the share of a column's values.

*Reference.* Definitions 5 and 6 of the survey-rating paper give the total only; per cell, data of different sizes can
be compared.

Cost: what the release cost at the prices that methods reckon with unless told otherwise.

*Definition.* Moving a rating by one step of the scale costs 1, inventing a rating three quarters of the span of the
scale and dropping one half of it (:class:`shoal.anonymizers.RatingCosts`): 3 and 2 on a scale of five points. *Unit.*
Steps of the scale.

*Reference.* The survey-rating paper prices an invented or dropped rating by its place on the scale (see distortion),
so that inventing a 1 is cheaper than moving a 1 to 3; here every invented rating costs the same.
"""

from fractions import Fraction

import numpy as np

from shoal.anonymizers.rating_costs import RatingCosts
from shoal.data import Column, Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

__all__ = ["cost", "distortion", "distortion_per_cell"]


@measure("distortion", unit="rating points, or cells", place=10, unchanged=0)
def distortion(comparison: Comparison) -> float:
    """Return the total distortion of a release."""
    ratings = comparison.ratings
    if ratings is not None:
        assert isinstance(comparison.original, Ratings)
        steps = ratings.moved_steps + ratings.invented_steps + ratings.dropped_steps
        return float(steps * comparison.original.scale.step)
    return float(sum(_loss(before, after) for before, after in comparison.columns))


def _loss(before: Column, after: Column) -> float:
    values = len(np.unique(before.codes))
    if values < 2:
        return 0.0
    pairs = np.unique(after.codes.astype(np.int64) * len(before.vocabulary) + before.codes)
    covered = np.bincount(pairs // len(before.vocabulary), minlength=len(after.vocabulary))
    return float((covered[after.codes] - 1).sum() / (values - 1))


@measure("distortion per cell", unit="rating points, or share of values", place=20, unchanged=0)
def distortion_per_cell(comparison: Comparison) -> float:
    """Return the total distortion divided by the cells that were or are rated, or by the quasi-identifier cells."""
    cells = _cells(comparison)
    if not cells:
        raise Unmeasurable("There is no cell that could be distorted.")
    return distortion(comparison) / cells


def _cells(comparison: Comparison) -> int:
    if comparison.ratings is not None:
        assert isinstance(comparison.original, Ratings)
        return comparison.original.observable.n_ratings + comparison.ratings.invented
    return len(comparison.columns) * len(comparison.origins)


@measure("cost", unit="steps of the scale", place=30, unchanged=0)
def cost(comparison: Comparison) -> float:
    """Return the steps that ratings were moved, plus the default price of each rating invented or dropped."""
    ratings = comparison.ratings
    if ratings is None or not isinstance(comparison.whole, Ratings):
        raise Unmeasurable("Defined on ratings only.")
    prices = RatingCosts.on(comparison.whole.scale)
    moved = Fraction(ratings.moved_steps, ratings.parts)
    return float(moved + prices.invent * ratings.invented + prices.drop * ratings.dropped)
