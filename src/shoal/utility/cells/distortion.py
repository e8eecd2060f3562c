"""Distortion: how far published cells are from the original ones, in total and per cell.

**Total distortion.** On ratings, Definitions 5 and 6 of the survey-rating paper: the sum over all cells of the
difference between the ratings. The paper writes a missing rating as 0, so inventing or dropping a rating costs its
place on the scale (on 1…r the rating itself). On tables, the sum over all quasi-identifier cells of the share of the
column's values that the published label stands for, beyond the true one: 0 for a value published exactly, 1 for a cell
that may hold any value. The values a label stands for are taken to be the original ones published under it.

**Distortion per cell.** *Definition.* The total distortion divided by the number of cells that can be distorted: on
ratings those rated before or after (a null that stays null cannot be distorted), on tables all cells of
quasi-identifiers. *Unit.* Rating points per cell; on tables the share of a column's values.

*Reference.* Definitions 5 and 6 of the survey-rating paper give the total only; per cell, data of different sizes can
be compared.
"""

import numpy as np

from shoal.data import Column, Ratings
from shoal.kernels.numbering import distinct_pairs_of_codes
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

__all__ = ["distortion", "distortion_per_cell"]


@measure("distortion", unit="rating points", table_unit="cells", place=10, unchanged=0)
def distortion(comparison: Comparison) -> float:
    """The sum over all cells of the distance between what is published and the original."""
    ratings = comparison.ratings
    if ratings is not None:
        assert isinstance(comparison.original, Ratings)
        steps = ratings.moved_steps + ratings.invented_steps + ratings.dropped_steps
        return float(steps * comparison.original.scale.step) + ratings.penalty
    return comparison.once(_total_loss)


def _total_loss(comparison: Comparison) -> float:
    return float(sum(_loss(before, after) for before, after in comparison.columns))


def _loss(before: Column, after: Column) -> float:
    values = int(np.count_nonzero(before.counts))
    if values < 2:
        return 0.0
    pairs = distinct_pairs_of_codes(after.codes, before.codes, len(before.vocabulary))
    covered = np.bincount(pairs // len(before.vocabulary), minlength=len(after.vocabulary))
    return float(after.counts @ (covered - 1) / (values - 1))


@measure(
    "distortion per cell",
    unit="rating points per cell",
    table_unit="share of a column's values",
    place=20,
    unchanged=0,
)
def distortion_per_cell(comparison: Comparison) -> float:
    """The distortion per cell: per cell rated before or after, or per quasi-identifier cell."""
    cells = _cells(comparison)
    if not cells:
        raise Unmeasurable("There is no cell that could be distorted.")
    return distortion(comparison) / cells


def _cells(comparison: Comparison) -> int:
    if comparison.ratings is not None:
        return comparison.n_given[1] + comparison.ratings.invented
    return len(comparison.columns) * len(comparison.origins)
