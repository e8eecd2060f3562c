"""Ratings whose groups are made alike."""

from dataclasses import replace

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.kernels.level_groups import level_groups

from .rating_costs import RatingCosts
from .with_rows import with_rows

__all__ = ["levelled"]


def levelled(ratings: Ratings, labels: np.ndarray, radius: int, costs: RatingCosts) -> Ratings:
    """Give the ratings after every group was made alike at least cost: one pattern of nulls, and within the radius.

    labels gives each record its group 0, 1, …; a record labelled −1 is left as it is. The radius is in steps.
    """
    order = np.argsort(labels, kind="stable")
    grouped = order[np.searchsorted(labels[order], 0) :]
    begins = np.flatnonzero(np.diff(labels[grouped], prepend=-1, append=-1))
    matrix = ratings.observable
    shape = (len(matrix.items), ratings.scale.points)
    some = matrix.take(grouped)
    parts = level_groups(
        some.indptr, some.indices, some.codes, np.arange(len(grouped)), begins, shape, radius, costs.invent, costs.drop
    )
    changed = RatingMatrix(matrix.items, *parts)
    return replace(ratings, observable=with_rows(matrix, grouped, changed))
