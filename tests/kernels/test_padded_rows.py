"""Padded rows that are never made, against those that are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.factorization import residual_products, residual_sums

Sparse = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
SHAPES = {"n": st.integers(1, 8), "m": st.integers(1, 9), "width": st.integers(0, 3)}
CHANCE = {"known": st.floats(0, 1), "seed": st.integers(0, 2**32)}


def drawn(n: int, m: int, width: int, known: float, seed: int) -> tuple[Sparse, np.ndarray]:
    """Return what kernels take, and the residuals."""
    chance = np.random.default_rng(seed)
    left = chance.normal(size=(n, width)).astype(np.float32)
    right = chance.normal(size=(m, width)).astype(np.float32)
    mask = chance.random((n, m)) < known
    codes = chance.integers(0, 5, (n, m)).astype(np.uint8)
    indptr = np.concatenate([[0], np.cumsum(mask.sum(axis=1))])
    rows, columns = np.nonzero(mask)
    predicted = left.astype(np.float64) @ right.T.astype(np.float64)
    residuals = np.where(mask, codes - predicted, 0)
    return (indptr, columns.astype(np.int32), codes[rows, columns], left, right), residuals


@given(**SHAPES, **CHANCE)
def test_residuals_are_multiplied_from_the_right_and_from_the_left(
    n: int, m: int, width: int, known: float, seed: int
) -> None:
    sparse, residuals = drawn(n, m, width, known, seed)
    chance = np.random.default_rng(seed)
    rows = chance.integers(0, n, chance.integers(0, 2 * n))
    directions, weights = chance.normal(size=(m, 3)), chance.normal(size=(len(rows), 2))
    for kernel in (residual_products, residual_products.py_func):
        assert kernel(*sparse, rows, directions) == pytest.approx(residuals[rows] @ directions, abs=1e-9)
    for kernel in (residual_sums, residual_sums.py_func):
        assert kernel(*sparse, rows, weights) == pytest.approx(residuals[rows].T @ weights, abs=1e-9)
