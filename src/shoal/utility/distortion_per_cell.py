"""Distortion per cell: how far a cell that tells something is from the original, on average.

*Definition.* The total distortion divided by the cells in which there is anything to distort: on ratings those rated
before or after (a null that stays null tells nothing and cannot be distorted), on tables all cells of
quasi-identifiers. *Unit.* Rating points a cell; on tables the share of a column's values.

*Reference.* Definitions 5 and 6 of the survey-rating paper give the total only; per cell, data of different sizes can
be compared.
"""

from shoal.data import Ratings

from .comparison import Comparison
from .distortion import distortion
from .measure import Unmeasurable, measure

__all__ = ["distortion_per_cell"]


@measure("distortion per cell", unit="rating points, or share of values")
def distortion_per_cell(comparison: Comparison) -> float:
    """Give the total distortion divided by the cells that were or are rated, or by the quasi-identifier cells."""
    cells = _cells(comparison)
    if not cells:
        raise Unmeasurable("There is no cell that could be distorted.")
    return distortion(comparison) / cells


def _cells(comparison: Comparison) -> int:
    if comparison.ratings is not None:
        assert isinstance(comparison.original, Ratings)
        return comparison.original.observable.n_ratings + comparison.ratings.invented
    return len(comparison.columns) * len(comparison.origins)
