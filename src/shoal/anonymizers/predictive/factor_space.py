"""The space in which items are refitted: the prediction for an average item, and directions of further ones.

Directions are the same for all items: those along which users have variance 1, and in which predictions differ most
between people, over all ratings. See :mod:`.supported_factors` for what is fitted in them.
"""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix
from shoal.predictors import Factors

__all__ = ["SEEN", "FactorSpace", "errors_of", "sampled_ratings"]

SEEN = 1e-10
"""A direction whose variance among users is below this share of the largest is left out: it may be rounding."""
_SAMPLE = 1 << 20
"""About the number of ratings from which the variance of errors is estimated."""
_LEAST, _MOST, _NOTHING = 0.01, 1e6, 1e-12
"""Bounds on the variance of errors, in multiples of that of levels; and a positive lower bound on the latter."""
_NEAR = 0.75
"""The share of all users who are near enough to weigh in full."""


@dataclass(frozen=True, eq=False)
class FactorSpace:
    """The predictions for an average item, and the directions in which predictions differ from those."""

    middle: np.ndarray
    """The average factors of users."""
    average: np.ndarray
    """The average factors of items, weighted by ratings."""
    base: np.ndarray
    """The prediction of each user for the average item."""
    places: np.ndarray
    """1, then the coordinates of users along the directions, scaled so that coefficients vary as levels do: float32."""
    weights: np.ndarray
    """The weight of a rating of each user where more than a level is fitted."""
    back: np.ndarray
    """Maps coefficients to factors of items."""
    ridge: float
    """The variance of errors divided by that of levels."""

    @classmethod
    def of(cls, factors: Factors, counts: np.ndarray, errors: float) -> "FactorSpace":
        """Return the space of factors; ``counts`` are the raters of items, ``errors`` the variance of errors."""
        users, items = factors.users.astype(np.float64), factors.items.astype(np.float64)
        weights = counts / counts.sum()
        middle, average = users.mean(axis=0), weights @ items
        apart = items - average
        levels = max(float(weights @ (apart @ middle) ** 2), errors / _MOST, _NOTHING)
        directions, variances = _directions(users - middle, (apart * weights[:, None]).T @ apart)
        back = directions * np.sqrt(variances / levels)
        places = _with_one((users - middle) @ back).astype(np.float32)
        far = np.linalg.norm(places[:, 1:], axis=1)
        near = max(float(np.quantile(far, _NEAR)), _NOTHING)
        weights = np.minimum(near / np.maximum(far, near), 1)
        return cls(middle, average, users @ average, places, weights, back, max(errors / levels, _LEAST))

    @property
    def width(self) -> int:
        """How many parameters an item can have: the level, and a coefficient for each direction."""
        return self.places.shape[1]

    def lines(self, profiles: np.ndarray) -> np.ndarray:
        """Return 1 and the coordinates along the directions of mean factors of users."""
        return _with_one((profiles - self.middle) @ self.back)

    def factors(self, found: np.ndarray) -> np.ndarray:
        """Return factors of items, with the constant last, from their levels and coefficients."""
        moved = found[:, 1:] @ self.back[:, : found.shape[1] - 1].T
        return np.column_stack([self.average + moved, found[:, 0] - moved @ self.middle])


def _with_one(places: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(places)), places])


def _directions(users: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return directions as columns along which users have variance 1, and the variances of items' coefficients.

    Predictions differ most along the first. ``squares`` is the mean of v·vᵀ over the factors v of items.
    """
    values, axes = np.linalg.eigh(users.T @ users / len(users))
    seen = values > SEEN * values.max(initial=0)
    root = np.sqrt(values[seen])
    variances, turn = np.linalg.eigh((axes[:, seen] * root).T @ squares @ (axes[:, seen] * root))
    return (axes[:, seen] / root @ turn)[:, ::-1], np.maximum(variances[::-1], 0)


def sampled_ratings(n_ratings: int) -> np.ndarray:
    """Return the numbers of evenly spaced ratings, on which the variance of errors is estimated."""
    return np.arange(0, n_ratings, -(-n_ratings // _SAMPLE))


def errors_of(matrix: RatingMatrix, factors: Factors, some: np.ndarray) -> np.ndarray:
    """Return the errors of predictions on some ratings, given by their numbers: float64."""
    rows = np.searchsorted(matrix.indptr, some, side="right") - 1
    return (factors.predict(rows, matrix.indices[some]) - matrix.codes[some]).astype(np.float64)
