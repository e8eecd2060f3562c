"""Alignment of groups: the ratings of every group are moved within the radius, over one pattern of nulls."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.data import RatingMatrix, Ratings
from shoal.engines import Engine, judge
from shoal.evidence import NeedPartition
from shoal.kernels.clustering.nearest_groups import row_costs
from shoal.kernels.groups.leader_groups import led_rows
from shoal.kernels.row_comparison import equal_patterns
from shoal.models import PrivacyModel

from .rating_costs import RatingCosts

__all__ = ["aligned", "findable_partition", "leader_widths", "replace_rows"]

_ROUNDS = 20


def findable_partition(
    ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine, max_withheld: int = 0
) -> Ratings:
    """Return ratings, changed in a few more records, in which the search finds the partitions that promises demand.

    The search does not always find a partition that exists: boxes overlap, and it does not try everything. Records that
    it leaves over are made equal to the nearest record that it does not, and so fit wherever that one fits, except for
    the ``max_withheld`` most expensive ones. Where this does not converge, the road will refuse.
    """
    asked = [model for model in models if isinstance(model.need, NeedPartition)]
    for _ in range(_ROUNDS if asked else 0):
        left = judge(ratings, asked, engine).violating
        if left.sum() <= max_withheld or left.all():
            break
        ratings = _following(ratings, left, max_withheld)
    return ratings


def _following(ratings: Ratings, left: np.ndarray, max_withheld: int) -> Ratings:
    """Make each record left over equal to the nearest one that is not, of its own pattern if there is any."""
    matrix = ratings.observable
    patterns, _ = equal_patterns(matrix.indptr, matrix.indices)
    gap = (ratings.scale.points - 1) / 4  # in quarters of the span, like all prices: a step of a scale of five points
    rows, others = np.flatnonzero(left), np.flatnonzero(~left)
    leaders, prices = np.empty(len(rows), np.int64), np.empty(len(rows))
    for place, row in enumerate(rows):
        alike = others[patterns[others] == patterns[row]]
        among = alike if len(alike) else others
        costs = row_costs(matrix.indptr, matrix.indices, matrix.codes, len(matrix.items), int(row), among, 0, gap)
        leaders[place], prices[place] = among[costs.argmin()], costs.min()
    moving = np.argsort(-prices, kind="stable")[max_withheld:]
    return replace(ratings, observable=replace_rows(matrix, rows[moving], matrix.take(leaders[moving])))


def aligned(
    ratings: Ratings, labels: np.ndarray, radius: int, costs: RatingCosts, leads: np.ndarray | None = None
) -> Ratings:
    """Return the ratings after every group was made alike at least cost: one pattern of nulls, and within the radius.

    labels gives each record its group 0, 1, …; a record labeled −1 is left as it is. The radius is in steps. With
    leads, a mask of records, all of a group are within the radius of those who lead it, and need not be of each other.
    """
    grouped, begins = group_offsets(labels)
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
        np.array([radius]) if leads is None else leader_widths(radius),
        *costs.prices,
    )
    changed = RatingMatrix(matrix.items, *parts)
    return replace(ratings, observable=replace_rows(matrix, grouped, changed))


def leader_widths(radius: int) -> np.ndarray:
    """Return the widths of intervals to try for leaders: first that in which all of a group are near each other."""
    return np.array(sorted({radius, radius // 2, 0}, reverse=True))


def replace_rows(matrix: RatingMatrix, rows: np.ndarray, changed: RatingMatrix) -> RatingMatrix:
    """Return the matrix with these records replaced by others over the same items."""
    both = RatingMatrix(
        matrix.items,
        np.concatenate([matrix.indptr, matrix.indptr[-1] + changed.indptr[1:]]),
        np.concatenate([matrix.indices, changed.indices]),
        np.concatenate([matrix.codes, changed.codes]),
    )
    source = np.arange(len(matrix))
    source[rows] = len(matrix) + np.arange(len(rows))
    return both.take(source)
