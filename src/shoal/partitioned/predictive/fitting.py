"""Factors fitted to ratings that are not in memory: half a sweep runs on partitions of whole users or whole items.

The factors of the other side go to every partition, and those that were fitted come back: users × factors and items ×
factors in single precision, which are here. Every user and item is fitted as in memory, by the same function, so the
factors are the same bits however ratings are divided.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Backend, Partitions, Shared
from shoal.errors import WordingError
from shoal.partitioned.ratings.side_rows import NUMBER, Side
from shoal.predictors import Factors, Predictor
from shoal.predictors.als import Als, AlsFitting
from shoal.progress import stage
from shoal.randomness import Randomness

from .numbered_lines import gathered_lines, line_columns, numbered_lines
from .two_sides import TwoSides

__all__ = ["fit_partitioned"]


def fit_partitioned(
    predictor: Predictor, ratings: TwoSides, total: int, backend: Backend, randomness: Randomness
) -> Factors:
    """Return factors fitted to ratings whose codes add up to ``total``: those that ``predictor`` fits in memory."""
    if not isinstance(predictor, Als):
        raise WordingError(
            f"The predictor {predictor.name!r} needs the ratings in memory.",
            "Use als, or read the ratings into memory (--engine local).",
        )
    fitting = AlsFitting.of(predictor, ratings.scale.points, total, ratings.n_ratings)
    users, items = np.zeros((0, 0)), fitting.begun(ratings.n_items, randomness)
    with stage("fitting the predictor", 2 * predictor.sweeps) as progress:
        for _ in range(predictor.sweeps):
            half = _Half(fitting, ratings.of_users, backend.shared(items))
            users = half.solved(ratings.by_user, ratings.n_users, "fitting users")
            progress.advance()
            half = _Half(fitting, ratings.of_items, backend.shared(users))
            items = half.solved(ratings.by_item, ratings.n_items, "fitting items")
            progress.advance()
    return fitting.folded(users, items)


@dataclass(frozen=True)
class _Half:
    """Fits the users or items of a partition."""

    fitting: AlsFitting
    side: Side
    others: Shared[np.ndarray]

    def solved(self, rows: Partitions, n: int, title: str) -> np.ndarray:
        """Return the lines of all users or items; who has no rating has zeros."""
        columns = line_columns(self.fitting.settings.factors + 1, pl.Float32())
        return gathered_lines(rows.map_partitions(self, columns), n, title)

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return the lines of a partition."""
        side = self.fitting.side(self.side.matrix(rows))
        side.solve(self.others.value)
        return numbered_lines(rows[NUMBER], side.lines)
