"""What is computed of items when their raters are not in memory: bounds on influences, and the confidence of cells.

Both are computed for every item by itself, on all its raters; the factors of users go to every partition.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.anonymizers.predictive.confident_cells import Confidence
from shoal.anonymizers.predictive.factor_space import errors_of, sampled_ratings
from shoal.anonymizers.predictive.supported_factors import Refit, Support
from shoal.backends import Backend, Columns, Shared
from shoal.partitioned.ratings.side_rows import NUMBER, Side
from shoal.predictors import Factors
from shoal.progress import stage

from .numbered_lines import gathered_lines, line_columns, numbered_lines
from .two_sides import TwoSides

__all__ = ["confidence_of_items", "supported_by_ratings"]


def supported_by_ratings(
    ratings: TwoSides, factors: Factors, counts: np.ndarray, raters: int, profiles: np.ndarray, backend: Backend
) -> Factors:
    """Return factors in which no rating has too large an influence, as ``supported_factors`` does in memory."""
    with stage("bounding the influence of ratings"):
        errors = _sampled_errors(ratings, factors, backend)
        support = Support.of(factors, counts, errors, raters, profiles)
        refitting = _Refitted(ratings.of_items, backend.shared(support))
        columns = line_columns(1 + support.space.width, pl.Float64())
        found = ratings.by_item.map_partitions(refitting, columns)
        lines = gathered_lines(found, ratings.n_items, "refitting items")
        return support.applied(factors, Refit(lines[:, 0].astype(np.int64), lines[:, 1:]))


@dataclass(frozen=True)
class _Refitted:
    """Refits the items of a partition: a line is how many parameters an item has, and these."""

    side: Side
    support: Shared[Support]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        refit = self.support.value.refitted(self.side.matrix(rows))
        return numbered_lines(rows[NUMBER], np.column_stack([refit.numbers, refit.parameters]))


def _sampled_errors(ratings: TwoSides, factors: Factors, backend: Backend) -> np.ndarray:
    """Return the errors on the same ratings as in memory, in the same order: about a million."""
    sampling = _SampledErrors(ratings.of_users, backend.shared((ratings.begins, factors)))
    found = ratings.by_user.map_partitions(sampling, _ERRORS).collect("measuring errors")
    return found.sort("rating")["error"].to_numpy()


_ERRORS: Columns = {"rating": pl.Int64(), "error": pl.Float64()}


@dataclass(frozen=True)
class _SampledErrors:
    side: Side
    shared: Shared[tuple[np.ndarray, Factors]]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        begins, factors = self.shared.value
        matrix, numbers = self.side.matrix(rows), rows[NUMBER].to_numpy()
        # the numbers that these ratings would have in memory, of which some are looked at
        every = np.repeat(begins[numbers] - matrix.indptr[:-1], np.diff(matrix.indptr)) + np.arange(matrix.n_ratings)
        sampled = sampled_ratings(int(begins[-1]))
        step = int(sampled[1]) if len(sampled) > 1 else 1 << 62
        some = np.flatnonzero(every % step == 0)
        own = Factors(factors.users[numbers], factors.items, factors.points)
        return pl.DataFrame({"rating": every[some], "error": errors_of(matrix, own, some)}, schema=dict(_ERRORS))


def confidence_of_items(ratings: TwoSides, confidence: Confidence, backend: Backend) -> np.ndarray:
    """Return the lines of items by which the confidence of their cells is compared."""
    width = confidence.points.shape[1]
    columns = line_columns(width * (width + 1) // 2, pl.Float32())
    found = ratings.by_item.map_partitions(_Lines(ratings.of_items, backend.shared(confidence)), columns)
    return gathered_lines(found, ratings.n_items, "measuring the confidence of predictions")


@dataclass(frozen=True)
class _Lines:
    side: Side
    confidence: Shared[Confidence]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return numbered_lines(rows[NUMBER], self.confidence.value.lines_of_items(self.side.matrix(rows)))
