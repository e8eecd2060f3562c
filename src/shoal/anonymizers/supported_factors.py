"""Factors in which every number that is fitted to an item rests on enough raters.

An item of *k* raters is not an average over *k* people, if as many numbers are fitted to it as there are raters: a line
through two points follows each of them. So a rater's own rating shows in the prediction for that rater and for whoever
is like them, and the predictions for an item are most extreme near those who rated it. Here an item has one number for
each *k* of its raters, at most as many as the predictor fits:

- with *k* raters and less than 2k, a *level*: everybody's prediction for an average item, moved by one amount. Who is
  foretold most and who least is the same for all such items, and does not depend on who rated them;
- with 2k and more, one further *direction* for each k raters. Directions are the same for all items: those in which
  predictions differ most between people, over all ratings;
- where that would be as many numbers as the predictor fits, what it fitted.

*How.* A rating is fitted as the prediction for an average item, plus the level, plus the coefficients times where the
rater lies along the directions. What is made least is the sum of squared errors over their variance, plus the squares
of level and coefficients over the variances they have among all items: the less is known, the nearer they are to 0.
With *r* raters, a change of one rating moves the level of an item by less than the r-th part of the change.
"""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.als import solve_rows
from shoal.predictors import Factors

__all__ = ["numbers_of_items", "supported_factors"]

_SEEN = 1e-10
"""A direction in which users vary less than this part of the most is left out: it may be rounding."""
_SAMPLE = 1 << 20
"""The variance of errors is learnt from about so many ratings."""
_LEAST, _MOST, _NOTHING = 0.01, 1e6, 1e-12
"""The variance of errors is no less and no more than so many times that of levels, which is more than nothing."""
_TASKS = 64


def numbers_of_items(factors: Factors) -> int:
    """Return how many numbers the predictor fits to an item: the columns of factors in which items differ."""
    return int(np.count_nonzero(np.ptp(factors.items, axis=0))) if len(factors.items) else 0


def supported_factors(matrix: RatingMatrix, factors: Factors, raters: int) -> Factors:
    """Return the factors, with those of items that have too few raters fitted anew.

    Every item must have at least ``raters`` raters. There is one factor more than before: 1 for every user.
    """
    counts, full = matrix.raters, numbers_of_items(factors)
    assert counts.min(initial=raters) >= raters
    numbers = np.minimum(counts // raters, full)
    few = np.flatnonzero(numbers < full)
    if not len(few):
        return factors
    space = _Space.of(matrix, factors, counts)
    by_item = matrix.of_items(few).by_item()
    lines = np.column_stack([factors.items, np.zeros(len(counts), np.float32)])
    for n in np.unique(numbers[few]).tolist():
        some = np.flatnonzero(numbers[few] == n)
        lines[few[some]] = space.fitted(by_item.take(some), n)
    users = np.column_stack([factors.users, np.ones(len(factors.users), np.float32)])
    return Factors(users, lines, factors.points)


@dataclass(frozen=True, eq=False)
class _Space:
    """What people are foretold for an average item, and the directions in which predictions differ from that."""

    middle: np.ndarray
    """The average factors of users."""
    average: np.ndarray
    """The average factors of items, by ratings."""
    base: np.ndarray
    """What each user is foretold for the average item."""
    places: np.ndarray
    """Where users lie along the directions, in units in which a coefficient varies as levels do."""
    back: np.ndarray
    """Turns coefficients into factors of items."""
    ridge: float
    """The variance of errors, by that of levels."""

    @classmethod
    def of(cls, matrix: RatingMatrix, factors: Factors, counts: np.ndarray) -> "_Space":
        users, items = factors.users.astype(np.float64), factors.items.astype(np.float64)
        weights = counts / counts.sum()
        middle, average = users.mean(axis=0), weights @ items
        apart = items - average
        errors = _error_variance(matrix, factors)
        levels = max(float(weights @ (apart @ middle) ** 2), errors / _MOST, _NOTHING)
        directions, variances = _directions(users - middle, (apart * weights[:, None]).T @ apart)
        back = directions * np.sqrt(variances / levels)
        return cls(middle, average, users @ average, (users - middle) @ back, back, max(errors / levels, _LEAST))

    def fitted(self, by_item: RatingMatrix, numbers: int) -> np.ndarray:
        """Return factors of items, with the constant last, from so many numbers each."""
        columns = np.column_stack([self.places[:, : numbers - 1], self.base]).astype(np.float32)
        found = np.zeros((len(by_item), columns.shape[1]), np.float32)  # directions may be fewer than numbers
        ratings = by_item.indptr, by_item.indices, by_item.codes
        borders = np.searchsorted(by_item.indptr, np.linspace(0, by_item.n_ratings, _TASKS + 1))
        borders[[0, -1]] = 0, len(by_item)
        solve_rows(*ratings, 1.0, 0.0, columns, np.full(len(by_item), self.ridge), borders, found)
        moved = found[:, :-1].astype(np.float64) @ self.back[:, : numbers - 1].T
        return np.column_stack([self.average + moved, found[:, -1] - moved @ self.middle])


def _directions(users: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return directions as columns along which users vary by 1, and the variance of items' coefficients along them.

    Predictions differ most along the first. Squares are the mean outer product of items' factors with themselves.
    """
    values, axes = np.linalg.eigh(users.T @ users / len(users))
    seen = values > _SEEN * values.max(initial=0)
    root = np.sqrt(values[seen])
    variances, turn = np.linalg.eigh((axes[:, seen] * root).T @ squares @ (axes[:, seen] * root))
    return (axes[:, seen] / root @ turn)[:, ::-1], np.maximum(variances[::-1], 0)


def _error_variance(matrix: RatingMatrix, factors: Factors) -> float:
    """Return the mean squared error of predictions, of some ratings at equal distances."""
    some = np.arange(0, matrix.n_ratings, -(-matrix.n_ratings // _SAMPLE))
    rows = np.searchsorted(matrix.indptr, some, side="right") - 1
    errors = factors.predict(rows, matrix.indices[some]) - matrix.codes[some]
    return float(np.mean(errors.astype(np.float64) ** 2))
