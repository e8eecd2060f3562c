"""A half of a sweep of alternating least squares does what NumPy does with the normal equations of each row."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.compiled import parallel_from
from shoal.kernels.factorization import cell_products
from shoal.kernels.least_squares import _solve, solve_rows
from threads import THREADS

BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


def drawn(seed: int, n_rows: int, n_columns: int, size: int, dtype=np.uint8):
    """Return compressed rows, some of them empty, lines of the columns and penalties of the rows."""
    rng = np.random.default_rng(seed)
    given = (rng.random((n_rows, n_columns)) < rng.random()) & (rng.random((n_rows, 1)) < 0.8)
    indptr = np.concatenate([[0], np.cumsum(given.sum(axis=1))])
    indices = np.nonzero(given)[1].astype(np.int32)
    codes = rng.integers(0, 7, len(indices)).astype(dtype)
    columns = rng.normal(size=(n_columns, size)).astype(np.float32)
    return given, (indptr, indices, codes), columns, rng.uniform(0.1, 3, n_rows)


def solved_by_numpy(given, values, columns, penalties):
    """Return for each row what least squares give, in double precision, row by row."""
    lines = np.zeros((len(given), columns.shape[1]))
    for row, chosen in enumerate(given):
        if chosen.any():
            known = np.column_stack([columns[chosen, :-1], np.ones(chosen.sum())]).astype(np.float64)
            wanted = values[row, chosen] - columns[chosen, -1]
            matrix = known.T @ known + penalties[row] * np.eye(columns.shape[1])
            lines[row] = np.linalg.solve(matrix, known.T @ wanted)
    return lines


@BOTH
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(0, 6),
    n_columns=st.integers(1, 30),
    size=st.integers(1, 9),
    unit=st.sampled_from([1.0, 0.5]),
    border=st.integers(0, 6),
)
def test_rows_are_solved_as_by_the_normal_equations(run, seed, n_rows, n_columns, size, unit, border) -> None:
    given, ratings, columns, penalties = drawn(seed, n_rows, n_columns, size)
    values = np.zeros(given.shape)
    values[given] = ratings[2] * unit - 1.25
    rows = np.full((n_rows, size), np.nan, np.float32)
    borders = np.array([0, min(border, n_rows), n_rows])
    run(solve_rows)(*ratings, unit, 1.25, columns, penalties, borders, rows)
    expected = solved_by_numpy(given, values, columns, penalties)
    np.testing.assert_allclose(rows, expected, rtol=1e-3, atol=1e-3)


def objective(given, values, rows, columns, row_penalties, column_penalties) -> float:
    """Add up what is to be made least, over a dense array."""
    rows, columns = rows.astype(np.float64), columns.astype(np.float64)
    errors = values - rows[:, :-1] @ columns[:, :-1].T - rows[:, -1:] - columns[:, -1]
    penalties = row_penalties @ (rows**2).sum(axis=1) + column_penalties @ (columns**2).sum(axis=1)
    return float((errors[given] ** 2).sum() + penalties)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), n_rows=st.integers(1, 15), n_columns=st.integers(1, 15), size=st.integers(1, 6))
def test_no_half_of_a_sweep_makes_the_sum_of_errors_and_penalties_larger(seed, n_rows, n_columns, size) -> None:
    given, ratings, columns, row_penalties = drawn(seed, n_rows, n_columns, size)
    dense = np.zeros(given.shape)
    dense[given] = ratings[2]
    indptr = np.concatenate([[0], np.cumsum(given.sum(axis=0))])
    turned = indptr, np.nonzero(given.T)[1].astype(np.int32), dense.T[given.T].astype(np.uint8)
    rows, column_penalties = np.zeros((n_rows, size), np.float32), np.linspace(0.2, 2, n_columns)
    last = objective(given, dense - 3, rows, columns, row_penalties, column_penalties)
    for _ in range(5):
        solve_rows(*ratings, 1.0, 3.0, columns, row_penalties, np.array([0, n_rows]), rows)
        now = objective(given, dense - 3, rows, columns, row_penalties, column_penalties)
        assert now <= last * (1 + 1e-5) + 1e-5
        solve_rows(*turned, 1.0, 3.0, rows, column_penalties, np.array([0, n_columns]), columns)
        last = objective(given, dense - 3, rows, columns, row_penalties, column_penalties)
        assert last <= now * (1 + 1e-5) + 1e-5


@pytest.mark.parametrize("n_columns", [255, 256, 257, 511, 1300])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_rows_longer_than_a_tile_are_solved_too(n_columns: int, dtype) -> None:
    _, _, columns, penalties = drawn(3, 2, n_columns, 6)
    codes = np.random.default_rng(4).integers(0, 200, 2 * n_columns).astype(dtype)
    ratings = np.array([0, n_columns, 2 * n_columns]), np.tile(np.arange(n_columns, dtype=np.int32), 2), codes
    rows = np.zeros((2, 6), np.float32)
    solve_rows(*ratings, 0.01, 1.0, columns, penalties, np.array([0, 2]), rows)
    values = codes.reshape(2, -1) * 0.01 - 1.0
    expected = solved_by_numpy(np.ones((2, n_columns), bool), values, columns, penalties)
    np.testing.assert_allclose(rows, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_columns_that_say_the_same_do_no_harm_even_at_a_small_penalty(seed: int) -> None:
    """By rounding, their products need not be those of any columns at all."""
    rng = np.random.default_rng(seed)
    columns = (1000 * rng.normal(size=(40, 1)) * rng.normal(size=9)).astype(np.float32)
    ratings = np.array([0, 40]), np.arange(40, dtype=np.int32), rng.integers(0, 5, 40).astype(np.uint8)
    rows = np.zeros((1, 9), np.float32)
    solve_rows(*ratings, 1.0, 2.0, columns, np.array([1e-4]), np.array([0, 1]), rows)
    known = np.column_stack([columns[:, :-1], np.ones(40)]).astype(np.float64)
    wanted = ratings[2] - 2.0 - columns[:, -1]
    best = np.linalg.lstsq(known, wanted, rcond=1e-5)[0]
    assert np.sum((known @ rows[0] - wanted) ** 2) <= np.sum((known @ best - wanted) ** 2) * 1.01


def equations(places, codes, unit, mean, columns):
    """Add up, entry by entry and in double precision, products with the factors, 1 and what is to be fitted."""
    sums = np.zeros((columns.shape[1] + 1, columns.shape[1] + 1))
    for place, code in zip(places, codes, strict=True):
        wanted = np.float32(code * unit - mean - columns[place, -1])
        line = np.array([*columns[place, :-1], 1, wanted], np.float64)
        sums += np.outer(line, line)
    return sums


def cancelling(rng: np.random.Generator, n: int, size: int) -> np.ndarray:
    """Return lines whose biases cancel out, all but the rounding of their sums, which another order would change."""
    lines = rng.normal(size=(n, size))
    lines[:, -1] = 10 ** rng.uniform(-3, 12, n)
    half = n // 2
    lines[half : 2 * half] = lines[:half]
    lines[half : 2 * half, -1] *= -1
    return lines


def test_another_order_of_sums_is_another_result() -> None:
    rng = np.random.default_rng(1)
    columns, codes = cancelling(rng, 200, 1).astype(np.float32), np.zeros(200, np.uint8)
    found = {equations(rng.permutation(200), codes, 1.0, 0.0, columns)[1, 0] for _ in range(5)}
    assert len(found) == 5


@BOTH
@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    factors=st.sampled_from([0, 1, 3, 4, 5, 8, 9]),
    per_block=st.lists(st.integers(0, 300), min_size=1, max_size=4),
)
def test_sums_of_blocks_of_columns_may_be_added_up_apart_bit_for_bit(run, seed, factors, per_block) -> None:
    """This is what data in parts rely on: whoever holds whole blocks adds them up, and others add the sums."""
    rng, block = np.random.default_rng(seed), 1 << 16
    places = [np.sort(rng.choice(block, n, replace=False)) + i * block for i, n in enumerate(per_block)]
    columns = np.zeros((len(per_block) * block, factors + 1), np.float32)
    columns[rng.permutation(np.concatenate(places))] = cancelling(rng, sum(per_block), factors + 1)
    codes = [rng.integers(0, 9, n).astype(np.uint8) for n in per_block]
    apart = [equations(*part, 0.3, 1.1, columns) for part in zip(places, codes, strict=True)]
    sums = sum(apart, np.zeros_like(apart[0])) + np.diag([*[0.7] * (factors + 1), 0])
    expected = np.zeros(factors + 1)
    if sum(per_block):
        _solve.py_func(sums, factors + 1, expected)
    ratings = np.array([0, sum(per_block)]), np.concatenate(places).astype(np.int32), np.concatenate(codes)
    rows = np.zeros((1, factors + 1), np.float32)
    run(solve_rows)(*ratings, 0.3, 1.1, columns, np.array([0.7]), np.array([0, 1]), rows)
    assert np.array_equal(rows[0], expected.astype(np.float32))


@pytest.mark.skipif(THREADS < 2, reason="there is one thread only")
def test_results_are_the_same_on_any_number_of_threads_and_with_any_borders() -> None:
    _, ratings, columns, penalties = drawn(8, 300, 600, 17)
    found, before = set(), numba.get_num_threads()
    for threads, tasks in ((1, 1), (1, 7), (2, 7), (2, 64)):
        numba.set_num_threads(threads)
        rows = np.zeros((300, 17), np.float32)
        borders = np.linspace(0, 300, tasks + 1).astype(np.int64)
        with parallel_from(0):
            solve_rows(*ratings, 1.0, 1.5, columns, penalties, borders, rows)
        found.add(rows.tobytes())
    numba.set_num_threads(before)
    assert len(found) == 1


@BOTH
@given(seed=st.integers(0, 2**32), n=st.integers(0, 12), width=st.integers(0, 5))
def test_cells_of_a_product_are_those_of_the_whole_product(run, seed, n, width) -> None:
    rng = np.random.default_rng(seed)
    left, right = (rng.normal(size=(m, width)).astype(np.float32) for m in (4, 7))
    rows, columns = rng.integers(0, 4, n), rng.integers(0, 7, n).astype(np.int32)
    expected = (left.astype(np.float64) @ right.T.astype(np.float64))[rows, columns]
    found = run(cell_products)(left, right, rows, columns)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
