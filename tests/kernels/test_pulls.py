"""What is needed to bound how far a rating moves a column, against sums and products written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.factorization import add_up_errors, largest_squares

RUNS = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])
ROWS = st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=5), min_size=1, max_size=5)


def compressed(rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    entries = [entry for row in rows for entry in row]
    return indptr, np.array([at for at, _ in entries], np.int32), np.array([code for _, code in entries], np.uint8)


@RUNS
@given(ROWS, st.integers(0, 2**32 - 1))
def test_the_largest_square_of_a_row_is_that_of_its_farthest_point(run, rows, seed) -> None:
    chance = np.random.default_rng(seed)
    points = chance.normal(size=(5, 3)).astype(np.float32)
    roots = chance.normal(size=(len(rows), 3, 3))
    matrices = roots @ roots.transpose(0, 2, 1)
    indptr, indices, _ = compressed(rows)
    found = run(largest_squares)(indptr, indices, points, matrices)
    for row, entries in enumerate(rows):
        squares = [float(points[at] @ matrices[row] @ points[at]) for at, _ in entries]
        assert found[row] == pytest.approx(max(squares, default=0.0), rel=1e-5, abs=1e-6)


@RUNS
@given(ROWS, st.integers(0, 2**32 - 1))
def test_errors_add_up_each_times_the_point_of_its_column(run, rows, seed) -> None:
    chance = np.random.default_rng(seed)
    points, expected = chance.normal(size=(5, 3)), chance.normal(size=5)
    indptr, indices, codes = compressed(rows)
    found = run(add_up_errors)(indptr, indices, codes, points, expected)
    for row, entries in enumerate(rows):
        summed = sum(((code - expected[at]) * points[at] for at, code in entries), np.zeros(3))
        assert found[row] == pytest.approx(summed, rel=1e-9, abs=1e-9)
