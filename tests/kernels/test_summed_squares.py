"""Squares of points are added up as NumPy adds them up, row by row."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.compiled import parallel_from
from shoal.kernels.factorization import add_up_squares
from threads import THREADS

BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


def drawn(seed: int, n_rows: int, n_points: int, width: int):
    """Return who is in which row, the same as compressed rows, and points."""
    rng = np.random.default_rng(seed)
    given = rng.random((n_rows, n_points)) < rng.random()
    indptr = np.concatenate([[0], np.cumsum(given.sum(axis=1))])
    points = rng.normal(size=(n_points, width)).astype(np.float32)
    return given, (indptr, np.nonzero(given)[1].astype(np.int32)), points


@BOTH
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(0, 6),
    n_points=st.integers(1, 20),
    width=st.integers(0, 5),
    cuts=st.lists(st.integers(0, 6), min_size=2, max_size=4),
)
def test_squares_of_the_rows_between_the_borders_are_added_up(run, seed, n_rows, n_points, width, cuts) -> None:
    given, rows, points = drawn(seed, n_rows, n_points, width)
    borders = np.minimum(sorted(cuts), n_rows)
    found = run(add_up_squares)(*rows, points, borders)
    exact = points.astype(np.float64)
    expected = [exact[chosen].T @ exact[chosen] for chosen in given[borders[0] : borders[-1]]]
    assert found.dtype == np.float64
    assert found.shape == (borders[-1] - borders[0], width, width)
    np.testing.assert_allclose(found, np.reshape(expected, found.shape), rtol=1e-12, atol=1e-12)


@pytest.mark.skipif(THREADS < 2, reason="there is one thread only")
def test_sums_are_the_same_on_any_number_of_threads_and_with_any_borders() -> None:
    _, rows, points = drawn(3, 200, 300, 9)
    found, before = set(), numba.get_num_threads()
    for threads, tasks in ((1, 1), (1, 7), (2, 7), (2, 64)):
        numba.set_num_threads(threads)
        with parallel_from(0):
            found.add(add_up_squares(*rows, points, np.linspace(0, 200, tasks + 1).astype(np.int64)).tobytes())
    numba.set_num_threads(before)
    assert len(found) == 1
