"""What a predictor is, and the factors it fits."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix, Scale
from shoal.errors import DataError, WordingError
from shoal.kernels.factorization import cell_products
from shoal.randomness import Randomness
from shoal.wording import Registry, Worded

__all__ = ["Factors", "Predictor", "predictors"]


@dataclass(frozen=True, eq=False, repr=False)
class Factors:
    """Predictions for every user and item, held as factors: ``users[i] @ items[j]``, in codes of the scale.

    Means and biases are among the factors, so the product is the whole prediction before it is kept to the scale.
    """

    users: np.ndarray
    """float32, users × factors."""
    items: np.ndarray
    """float32, items × factors."""
    points: int
    """How many points the scale has: codes are 0 to points − 1."""

    def __post_init__(self) -> None:
        for array in (self.users, self.items):
            assert array.dtype == np.float32
            assert array.ndim == 2
            array.flags.writeable = False
        assert self.users.shape[1] == self.items.shape[1]
        assert self.points >= 2

    def __repr__(self) -> str:
        n_users, width = self.users.shape
        return f"Factors({n_users:,} users × {len(self.items):,} items, {width} wide)"

    def predict(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the predictions for cells, kept to the scale: float32, one for each pair of a row and a column.

        Both are whole numbers in arrays of one dimension and equal length. Predictions are codes, not rounded.
        """
        assert rows.shape == columns.shape
        assert rows.ndim == 1
        products = cell_products(self.users, self.items, rows, columns)
        return np.clip(products, 0, self.points - 1, out=products)


@dataclass(frozen=True)
class Predictor(Worded, ABC):
    """A way to predict ratings, with its settings: frozen, comparable, and written as one wording.

    One of your own is a frozen dataclass that derives from this, has a ``name`` and defines :meth:`_fit`.
    """

    def fit(self, matrix: RatingMatrix, scale: Scale, randomness: Randomness) -> Factors:
        """Return factors fitted to the given ratings, which predict the missing ones."""
        if scale.points == 1:
            raise WordingError("Ratings are predicted, and sets have none: there is one mark only.")
        factors = self._fit(matrix, scale, randomness)
        assert len(factors.users) == len(matrix), "every user has factors"
        assert len(factors.items) == len(matrix.items), "every item has factors"
        assert factors.points == scale.points
        if not (np.isfinite(factors.users).all() and np.isfinite(factors.items).all()):
            raise DataError(f"The predictor {self.name!r} gave factors that are no finite numbers.")
        return factors

    @abstractmethod
    def _fit(self, matrix: RatingMatrix, scale: Scale, randomness: Randomness) -> Factors: ...


predictors: Registry[Predictor] = Registry("predictor", "shoal.predictors")
