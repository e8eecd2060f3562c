"""Users as points whose Euclidean distance is that of their padded ratings."""

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.factorization import residual_products, residual_sums
from shoal.predictors import Factors

__all__ = ["corrected_points", "padded_points"]


_FURTHER = 16
"""The number of directions in addition to those of the factors."""
_ROUNDS = 4
_SAMPLE = 16_384
"""The most users from whom directions are learned."""


def corrected_points(matrix: RatingMatrix, factors: Factors, generator: np.random.Generator) -> np.ndarray:
    """Return a point for each user: the coordinates of the padded ratings along some orthogonal directions.

    The padded ratings of a user are predictions, except for items the user rated; the residual is the rating minus the
    prediction. The directions are those that the factors of items span, and the few others along which residuals differ
    most. Points are thus never farther apart than padded ratings, and as far where there are not many more items than
    directions.

    Residuals of two users are mostly on different items, so that any two users are about equally far apart. Random
    directions would preserve distances only with an error greater than the differences between users, and groups would
    follow the error.
    """
    items = factors.items.astype(np.float64)
    directions = _directions(matrix, factors, items, generator)
    everybody = np.arange(len(matrix))
    points = _residuals_along(matrix, factors, everybody, directions)
    points += factors.users.astype(np.float64) @ (items.T @ directions)
    if len(points):
        points -= points.mean(axis=0)
    return np.ascontiguousarray(points.astype(np.float32))


def _directions(
    matrix: RatingMatrix, factors: Factors, items: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Return directions as columns: those of the factors, then the principal ones of residuals orthogonal to these."""
    some = np.sort(generator.choice(len(matrix), min(len(matrix), _SAMPLE), replace=False))
    further = generator.normal(size=(len(items), _FURTHER))
    for _ in range(_ROUNDS):
        directions = np.linalg.qr(np.hstack([items, further]))[0]
        along = _residuals_along(matrix, factors, some, directions[:, items.shape[1] :])
        along -= along.mean(axis=0)
        further = residual_sums(*_rows(matrix, factors), some, along)
    return np.linalg.qr(np.hstack([items, further]))[0]


def _residuals_along(matrix: RatingMatrix, factors: Factors, rows: np.ndarray, directions: np.ndarray) -> np.ndarray:
    return residual_products(*_rows(matrix, factors), rows, np.ascontiguousarray(directions))


def _rows(matrix: RatingMatrix, factors: Factors) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return matrix.indptr, matrix.indices, matrix.codes, factors.users, factors.items


def padded_points(users: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return a point for each user, with the distances of the rows of ``users @ items.T``, which is never computed.

    |(u − v)·itemsᵀ|² is (u − v)·itemsᵀ·items·(u − v)ᵀ. With itemsᵀ·items = L·Lᵀ, by eigenvalues so that factors may be
    linearly dependent, it is |(u − v)·L|². Directions with an eigenvalue of 0 are left out; the first column is the
    direction that counts most. Points are centered at 0, where float32 is most precise.
    """
    items = items.astype(np.float64)
    values, directions = np.linalg.eigh(items.T @ items)
    values, directions = values[::-1], directions[:, ::-1]
    seen = values > max(float(values.max(initial=0)), 0) * len(values) * np.finfo(np.float64).eps
    root = directions[:, seen] * np.sqrt(values[seen])
    middle = users.mean(axis=0, dtype=np.float64) if len(users) else np.zeros(users.shape[1])
    return np.ascontiguousarray(((users - middle) @ root).astype(np.float32))
