"""Ratings whose partition is found again by whoever looks for it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.data import Ratings
from shoal.engines import Engine, judge
from shoal.kernels.equal_rows import equal_patterns
from shoal.kernels.nearest_groups import row_costs
from shoal.models import KEpsilon, PrivacyModel

from .with_rows import with_rows

__all__ = ["findable_partition"]

_ROUNDS = 20


def findable_partition(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine, spare: int = 0) -> Ratings:
    """Give ratings in which the partitions that promises ask for are found, if a few records more are changed.

    A partition that was made is not always found: boxes overlap, and the search does not try everything. Those whom
    the search leaves over are made equal to the nearest record that it does not, and so fit wherever that one fits;
    but for those, as many as there are to ``spare``, for whom it would cost most. Where this does not come to an end,
    the road will refuse.
    """
    asked = [model for model in models if isinstance(model, KEpsilon) and model.semantics == "partition"]
    for _ in range(_ROUNDS if asked else 0):
        left = judge(ratings, asked, engine).violating
        if left.sum() <= spare or left.all():
            break
        ratings = _following(ratings, left, spare)
    return ratings


def _following(ratings: Ratings, left: np.ndarray, spare: int) -> Ratings:
    """Make each record left over equal to the nearest one that is not, of its own pattern if there is any."""
    matrix = ratings.observable
    patterns, _ = equal_patterns(matrix.indptr, matrix.indices)
    gap = (ratings.scale.points - 1) / 4  # a share of the span, as all prices are: a step of a scale of five points
    rows, others = np.flatnonzero(left), np.flatnonzero(~left)
    leaders, prices = np.empty(len(rows), np.int64), np.empty(len(rows))
    for place, row in enumerate(rows):
        alike = others[patterns[others] == patterns[row]]
        among = alike if len(alike) else others
        costs = row_costs(matrix.indptr, matrix.indices, matrix.codes, len(matrix.items), int(row), among, 0, gap)
        leaders[place], prices[place] = among[costs.argmin()], costs.min()
    moving = np.argsort(-prices, kind="stable")[spare:]
    return replace(ratings, observable=with_rows(matrix, rows[moving], matrix.take(leaders[moving])))
