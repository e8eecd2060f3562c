"""Padded rows that are never made, against those that are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.factorization import residual_products, residual_sums, round_products

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


@pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(0, 4),
    n_columns=st.sampled_from([0, 1, 7, 1023, 1024, 1025, 2100]),
    factors=st.integers(0, 6),
    dtype=st.sampled_from([np.uint8, np.uint16]),
)
def test_products_are_kept_to_the_scale_and_rounded(run, seed, n_rows, n_columns, factors, dtype) -> None:
    rng = np.random.default_rng(seed)
    left = rng.normal(size=(n_rows, factors)).astype(np.float32)
    right = rng.normal(size=(factors, n_columns)).astype(np.float32)
    codes = np.full((n_rows, n_columns), 77, dtype)
    run(round_products)(left, right, 3.0, 20.0, codes)
    for row in range(n_rows):
        product = np.zeros(n_columns, np.float32)
        for a in range(factors):
            product = product + left[row, a] * right[a]
        expected = np.floor(np.clip(product, 0, 3) * np.float32(20) + np.float32(0.5))
        assert np.array_equal(codes[row], expected)
