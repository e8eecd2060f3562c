"""The predictor ``als``: factors and biases of users and items by alternating least squares.

*What it does.* A rating is predicted as ``mean + bias of the user + bias of the item + u·v``, where u and v are short
vectors, one for each user and each item. Those of the users are found, exactly, while those of the items stay, then the
other way round; that is one sweep. What is made small is the sum of squared errors on the ratings given, plus for
every user and item the penalty times the square root of its number of ratings times the squared length of its factors
and bias. No half of a sweep makes that larger.

*Guarantee.* The same ratings, settings and seed give the same factors, bit for bit, on any number of cores. Users
without ratings and items without raters have no factors and no bias.

*Order of sums.* A floating-point sum depends on its order, so there is only one: the normal equations of a user are
added up in the order of items, those of an item in the order of users, in double precision, within blocks of 65,536
numbered from 0; the sums of blocks are then added in their order (:func:`~shoal.kernels.least_squares.solve_rows`).
Ratings that are cut into parts at the borders of such blocks, on disk or on several machines, therefore lead to the
same bits: each part adds up its blocks, and the sums of blocks are added in order.

*Reference.* Zhou, Wilkinson, Schreiber and Pan, Large-scale parallel collaborative filtering for the Netflix Prize
(2008), who weight the penalty by the number of ratings; Koren, Bell and Volinsky, Matrix factorization techniques for
recommender systems (2009), who have biases and do not weight. The root, between the two, predicts better than either
on MovieLens 1M.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.data import RatingMatrix, Scale
from shoal.errors import WordingError
from shoal.kernels.least_squares import solve_rows
from shoal.progress import stage
from shoal.randomness import Randomness

from .base import Factors, Predictor, predictors

__all__ = ["Als"]

_SPAN = 4.0
"""Ratings are brought to this span, that of a scale from 1 to 5, so that a penalty means the same on every scale."""
_LEAST_PENALTY = Fraction(1, 10_000)
_BEGINNING = 0.1
"""The standard deviation of the items' factors to begin with."""
_TASKS = 64


@predictors.add
@dataclass(frozen=True)
class Als(Predictor):
    """Regularized matrix factorization with biases, by alternating least squares."""

    name: ClassVar[str] = "als"

    factors: int = 16
    penalty: Fraction = Fraction(1)
    sweeps: int = 12

    def __post_init__(self) -> None:
        if self.factors < 0:
            raise WordingError("als needs a number of factors of at least 0.", "With 0 there are only biases.")
        if self.penalty < _LEAST_PENALTY:
            raise WordingError(f"als needs a penalty of at least {float(_LEAST_PENALTY):g}.")
        if self.sweeps < 1:
            raise WordingError("als needs at least one sweep.")

    def _fit(self, matrix: RatingMatrix, scale: Scale, randomness: Randomness) -> Factors:
        unit = _SPAN / (scale.points - 1)
        mean = float(matrix.codes.mean(dtype=np.float64)) * unit if matrix.n_ratings else _SPAN / 2
        with stage("sorting ratings by item"):
            by_item = matrix.by_item()
        sides = _Side.of(matrix, self), _Side.of(by_item, self)
        users, items = (side.lines for side in sides)
        items[:, :-1] = _BEGINNING * randomness.generator("als").standard_normal((len(items), self.factors), np.float32)
        with stage("fitting the predictor", 2 * self.sweeps) as progress:
            for _ in range(self.sweeps):
                sides[0].solve(items, unit, mean)
                progress.advance()
                sides[1].solve(users, unit, mean)
                progress.advance()
        return _folded(users, items, mean, 1 / unit, scale.points)


@dataclass(frozen=True)
class _Side:
    """The users or the items: their ratings, and a line of factors and the bias for each."""

    matrix: RatingMatrix
    penalties: np.ndarray
    borders: np.ndarray
    lines: np.ndarray

    @classmethod
    def of(cls, matrix: RatingMatrix, settings: Als) -> "_Side":
        size = settings.factors + 1
        penalties = float(settings.penalty) * np.sqrt(np.diff(matrix.indptr))
        return cls(matrix, penalties, _borders(matrix.indptr, size), np.zeros((len(matrix), size), np.float32))

    def solve(self, others: np.ndarray, unit: float, mean: float) -> None:
        """Fit these lines to those of the other side."""
        ratings = self.matrix.indptr, self.matrix.indices, self.matrix.codes
        solve_rows(*ratings, unit, mean, others, self.penalties, self.borders, self.lines)


def _borders(indptr: np.ndarray, size: int) -> np.ndarray:
    """Cut the rows into tasks of about equal work: to add up a row's ratings, and to solve for it."""
    work = indptr + size * np.arange(len(indptr))
    return np.searchsorted(work, np.linspace(0, work[-1], _TASKS + 1))


def _folded(users: np.ndarray, items: np.ndarray, mean: float, step: float, points: int) -> Factors:
    """Take biases and the mean in among the factors, in codes again; step is how much one unit is in codes."""
    by_user, by_item = (np.empty((len(lines), lines.shape[1] + 1), np.float32) for lines in (users, items))
    by_user[:, :-2] = users[:, :-1] * np.float32(np.sqrt(step))
    by_user[:, -2] = (users[:, -1] + mean) * step
    by_user[:, -1] = 1
    by_item[:, :-2] = items[:, :-1] * np.float32(np.sqrt(step))
    by_item[:, -2] = 1
    by_item[:, -1] = items[:, -1] * step
    return Factors(by_user, by_item, points)
