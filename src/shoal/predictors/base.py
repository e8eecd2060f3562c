"""What a predictor is."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix, Scale
from shoal.errors import DataError
from shoal.randomness import Randomness
from shoal.wording import Registry, Worded

from .factors import Factors

__all__ = ["Predictor", "predictors"]


@dataclass(frozen=True)
class Predictor(Worded, ABC):
    """A way to foretell ratings, with its settings: frozen, comparable, and written as one wording.

    One of your own is a frozen dataclass that derives from this, has a ``name`` and gives :meth:`_fit`.
    """

    def fit(self, matrix: RatingMatrix, scale: Scale, randomness: Randomness) -> Factors:
        """Learn from the ratings that are given what all others would be."""
        factors = self._fit(matrix, scale, randomness)
        assert len(factors.users) == len(matrix), "every user has factors"
        assert len(factors.items) == len(matrix.items), "every item has factors"
        assert factors.points == scale.points
        if not (np.isfinite(factors.users).all() and np.isfinite(factors.items).all()):
            raise DataError(f"The predictor {self.name!r} gave factors that are no finite numbers.")
        return factors

    @abstractmethod
    def _fit(self, matrix: RatingMatrix, scale: Scale, randomness: Randomness) -> Factors: ...


predictors: Registry[Predictor] = Registry("predictor")
