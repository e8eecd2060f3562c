"""Ratings whose groups are made alike."""

from dataclasses import replace

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.kernels.led_groups import led_rows

from .by_group import by_group
from .leaders_widths import leaders_widths
from .rating_costs import RatingCosts
from .with_rows import with_rows

__all__ = ["levelled"]


def levelled(
    ratings: Ratings, labels: np.ndarray, radius: int, costs: RatingCosts, leads: np.ndarray | None = None
) -> Ratings:
    """Give the ratings after every group was made alike at least cost: one pattern of nulls, and within the radius.

    labels gives each record its group 0, 1, …; a record labelled −1 is left as it is. The radius is in steps. With
    leads, a mask of records, all of a group are within the radius of those who lead it, and need not be of each other.
    """
    grouped, begins = by_group(labels)
    matrix = ratings.observable
    shape = (len(matrix.items), ratings.scale.points)
    some = matrix.take(grouped)
    parts = led_rows(
        some.indptr,
        some.indices,
        some.codes,
        np.arange(len(grouped)),
        begins,
        np.zeros(len(grouped), bool) if leads is None else leads[grouped],
        shape,
        radius,
        np.array([radius]) if leads is None else leaders_widths(radius),
        *costs.prices,
    )
    changed = RatingMatrix(matrix.items, *parts)
    return replace(ratings, observable=with_rows(matrix, grouped, changed))
