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
Every user and every item is fitted by itself, so ratings that lie in parts, on disk or on several machines, lead to the
same bits as long as each part has whole users, or whole items (:class:`AlsFitting`).

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

__all__ = ["Als", "AlsFitting", "AlsSide"]

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
        total = int(matrix.codes.sum(dtype=np.int64))
        fitting = AlsFitting.of(self, scale.points, total, matrix.n_ratings)
        with stage("sorting ratings by item"):
            by_item = matrix.by_item()
        sides = fitting.side(matrix), fitting.side(by_item)
        users, items = (side.lines for side in sides)
        items[:] = fitting.begun(len(items), randomness)
        with stage("fitting the predictor", 2 * self.sweeps) as progress:
            for _ in range(self.sweeps):
                sides[0].solve(items)
                progress.advance()
                sides[1].solve(users)
                progress.advance()
        return fitting.folded(users, items)


@dataclass(frozen=True)
class AlsFitting:
    """What is the same in every half of a sweep, whichever ratings it is done on: settings, and units of ratings.

    Ratings that are not in memory are fitted by the same steps: each side has whole users, or whole items.
    """

    settings: Als
    points: int
    """How many points the scale has."""
    mean: float
    """The mean of all ratings, in the units that are fitted."""

    @classmethod
    def of(cls, settings: Als, points: int, total: int, n_ratings: int) -> "AlsFitting":
        """Return how ratings are fitted whose codes add up to ``total``."""
        mean = total / n_ratings * (_SPAN / (points - 1)) if n_ratings else _SPAN / 2
        return cls(settings, points, mean)

    @property
    def unit(self) -> float:
        """How much one code is in the units that are fitted."""
        return _SPAN / (self.points - 1)

    def begun(self, n_items: int, randomness: Randomness) -> np.ndarray:
        """Return the lines of items to begin with: factors drawn at random, and no bias."""
        lines = np.zeros((n_items, self.settings.factors + 1), np.float32)
        drawn = randomness.generator("als").standard_normal((n_items, self.settings.factors), np.float32)
        lines[:, :-1] = _BEGINNING * drawn
        return lines

    def side(self, matrix: RatingMatrix) -> "AlsSide":
        """Return some users with their ratings of items, or some items with those of users; their lines are 0."""
        size = self.settings.factors + 1
        penalties = float(self.settings.penalty) * np.sqrt(np.diff(matrix.indptr))
        lines = np.zeros((len(matrix), size), np.float32)
        return AlsSide(self, matrix, penalties, _borders(matrix.indptr, size), lines)

    def folded(self, users: np.ndarray, items: np.ndarray) -> Factors:
        """Take biases and the mean in among the factors, in codes again."""
        step = 1 / self.unit
        by_user, by_item = (np.empty((len(lines), lines.shape[1] + 1), np.float32) for lines in (users, items))
        by_user[:, :-2] = users[:, :-1] * np.float32(np.sqrt(step))
        by_user[:, -2] = (users[:, -1] + self.mean) * step
        by_user[:, -1] = 1
        by_item[:, :-2] = items[:, :-1] * np.float32(np.sqrt(step))
        by_item[:, -2] = 1
        by_item[:, -1] = items[:, -1] * step
        return Factors(by_user, by_item, self.points)


@dataclass(frozen=True, eq=False)
class AlsSide:
    """Some users or some items: their ratings, and a line of factors and the bias for each."""

    fitting: AlsFitting
    matrix: RatingMatrix
    penalties: np.ndarray
    borders: np.ndarray
    lines: np.ndarray

    def solve(self, others: np.ndarray) -> None:
        """Fit these lines to those of the other side."""
        ratings, fitting = (self.matrix.indptr, self.matrix.indices, self.matrix.codes), self.fitting
        solve_rows(*ratings, fitting.unit, fitting.mean, others, self.penalties, self.borders, self.lines)


def _borders(indptr: np.ndarray, size: int) -> np.ndarray:
    """Cut the rows into tasks of about equal work: to add up a row's ratings, and to solve for it."""
    work = indptr + size * np.arange(len(indptr))
    return np.searchsorted(work, np.linspace(0, work[-1], _TASKS + 1))
