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


def findable_partition(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine) -> Ratings:
    """Give ratings in which the partitions that promises ask for are found, if a few records more are changed.

    A partition that was made is not always found: boxes overlap, and the search does not try everything. Those whom
    the search leaves over are made equal to the nearest record that it does not, and so fit wherever that one fits.
    Where this does not come to an end, the road will refuse.
    """
    asked = [
        replace(model, l=None, spread=None, all_null=None)
        for model in models
        if isinstance(model, KEpsilon) and model.semantics == "partition"
    ]
    for _ in range(_ROUNDS if asked else 0):
        left = judge(ratings, asked, engine).violating
        if not left.any() or left.all():
            break
        ratings = _following(ratings, left)
    return ratings


def _following(ratings: Ratings, left: np.ndarray) -> Ratings:
    """Make each record left over equal to the nearest one that is not, of its own pattern if there is any."""
    matrix = ratings.observable
    patterns, _ = equal_patterns(matrix.indptr, matrix.indices)
    rows, others = np.flatnonzero(left), np.flatnonzero(~left)
    leaders = []
    for row in rows:
        alike = others[patterns[others] == patterns[row]]
        among = alike if len(alike) else others
        costs = row_costs(matrix.indptr, matrix.indices, matrix.codes, len(matrix.items), int(row), among, 0, 1.0)
        leaders.append(int(among[costs.argmin()]))
    return replace(ratings, observable=with_rows(matrix, rows, matrix.take(np.array(leaders))))
