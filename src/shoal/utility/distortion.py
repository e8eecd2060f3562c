"""Total distortion: how far the published cells are from the original ones.

On ratings, Definitions 5 and 6 of the survey-rating paper: the sum over all cells of the difference of the ratings. The
paper writes a missing rating as 0, so inventing or dropping a rating costs its place on the scale (on 1…r the rating
itself). On tables, the sum over all quasi-identifier cells of the share of the column's values that the published label
stands for, beyond the true one: 0 for a value told exactly, 1 for a cell that may be anything. The values a label
stands for are taken to be those that are published under it.
"""

import numpy as np

from shoal.data import Column, Ratings

from .comparison import Comparison
from .measure import measure

__all__ = ["distortion"]


@measure("distortion", unit="rating points, or cells")
def distortion(comparison: Comparison) -> float:
    """Give the total distortion of a release."""
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
