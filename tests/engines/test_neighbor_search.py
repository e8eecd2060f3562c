"""Three ways to find neighbors give the same numbers, at every size, block and limit."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import RatingMatrix, Vocabulary
from shoal.engines import neighbor_search as neighbor_search
from shoal.engines.neighbor_search import sums_within


def matrix_of(codes: np.ndarray) -> RatingMatrix:
    return RatingMatrix.from_dense(Vocabulary(pl.Series([f"i{c}" for c in range(codes.shape[1])])), codes)


def by_definition(codes: np.ndarray, amounts: np.ndarray, radius: int) -> np.ndarray:
    same = ((codes[:, None] >= 0) == (codes[None] >= 0)).all(axis=2)
    near = same & (np.abs(codes[:, None].astype(int) - codes[None]) <= radius).all(axis=2)
    return near.astype(np.int64) @ amounts


def random_codes(seed: int, n: int, width: int, nulls: float, pool: int) -> np.ndarray:
    """Ratings with nulls, and rows that occur often."""
    chance = np.random.default_rng(seed)
    codes = chance.integers(0, 5, (pool, width)).astype(np.int32)
    codes[chance.random((pool, width)) < nulls] = -1
    return codes[chance.integers(0, pool, n)]


@pytest.mark.parametrize("search", ["auto", "slicing", "pairwise"])
@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(0, 200),
    width=st.integers(1, 6),
    nulls=st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    pool=st.integers(1, 300),
    radius=st.integers(0, 4),
    kinds=st.integers(1, 3),
)
def test_every_search_adds_up_what_the_definition_says(search, seed, n, width, nulls, pool, radius, kinds):
    codes = random_codes(seed, n, width, nulls, pool)
    amounts = np.random.default_rng(seed).integers(0, 9, (n, kinds))
    amounts[:, 0] = 1
    found = sums_within(matrix_of(codes), 5, radius, amounts, search=search)
    assert (found == by_definition(codes, amounts, radius)).all()


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 300),
    width=st.integers(1, 5),
    nulls=st.sampled_from([0.0, 0.0, 0.2]),
    pool=st.integers(1, 300),
    radius=st.integers(0, 4),
    enough=st.integers(1, 30),
    small=st.sampled_from([1, 2, 20]),
)
def test_counting_only_enough_keeps_what_is_below_and_the_smallest_exact(
    seed, n, width, nulls, pool, radius, enough, small
):
    codes = random_codes(seed, n, width, nulls, pool)
    amounts = np.ones((n, 1), np.int64)
    exact = by_definition(codes, amounts, radius)[:, 0]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(neighbor_search, "_SMALL", small)
        patched.setattr(neighbor_search, "_SAMPLE", 3)
        found = sums_within(matrix_of(codes), 5, radius, amounts, enough=enough)[:, 0]
    assert found.min() == exact.min()
    limit = max(enough, exact.min())
    assert (np.minimum(found, limit) == np.minimum(exact, limit)).all()
    assert (found <= exact).all()


@pytest.mark.parametrize("enough", [None, 3])
def test_blocks_that_bound_the_memory_change_nothing(monkeypatch, enough):
    codes = random_codes(3, 9000, 3, 0.0, 9000)
    amounts = np.ones((len(codes), 1), np.int64)
    whole = sums_within(matrix_of(codes), 5, 1, amounts, enough=enough)
    monkeypatch.setattr(neighbor_search, "_BITMAP_BYTES", 1)
    monkeypatch.setattr(neighbor_search, "_AT_A_TIME", 1000)
    monkeypatch.setattr(neighbor_search, "_SMALL", 1)
    parts = sums_within(matrix_of(codes), 5, 1, amounts, enough=enough)
    limit = np.iinfo(np.int64).max if enough is None else max(enough, int(whole.min()))
    assert (np.minimum(whole, limit) == np.minimum(parts, limit)).all()
    assert parts.min() == whole.min()


def test_many_points_on_the_scale_are_no_trouble():
    codes = np.random.default_rng(1).integers(0, 2001, (300, 4)).astype(np.int32)
    items = Vocabulary(pl.Series(["a", "b", "c", "d"]))
    matrix = RatingMatrix.from_dense(items, codes, np.uint16)
    amounts = np.ones((300, 1), np.int64)
    for radius in (0, 300, 2000):
        expected = by_definition(codes, amounts, radius)
        assert (sums_within(matrix, 2001, radius, amounts) == expected).all()
        assert (sums_within(matrix, 2001, radius, amounts, search="slicing") == expected).all()
