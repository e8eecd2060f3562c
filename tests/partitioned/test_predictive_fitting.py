"""Factors of ratings that are not in memory are those of ratings in memory, bit for bit, however they are divided."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers.predictive.supported_factors import supported_factors
from shoal.backends.stream import StreamBackend
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.partitioned.predictive.fitting import fit_partitioned
from shoal.partitioned.predictive.supporting import supported_by_ratings
from shoal.partitioned.predictive.two_sides import item_sums, two_sides
from shoal.partitioned.ratings import partitioned_ratings
from shoal.partitioned.ratings.ratings_by_user import ratings_by_user
from shoal.partitioned.ratings.side_rows import Side
from shoal.predictors import predictors
from shoal.randomness import Randomness
from shoal.testing import ratings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("backend")


@settings(max_examples=60, deadline=None)
@given(
    data=ratings(max_records=12, max_sensitive=0),
    memory=st.sampled_from([500, 2_000, 10_000, 10**9]),
    factors=st.integers(0, 5),
    fewest=st.integers(1, 3),
)
def test_factors_are_those_of_ratings_in_memory(folder, data: Ratings, memory, factors, fewest) -> None:
    if data.is_sets:
        return
    raters = data.observable.raters
    items = np.flatnonzero(raters >= fewest)
    if not len(items):
        return
    predictor, chance = predictors.read(f"als:factors={factors},sweeps=3"), Randomness(3, bytes(range(32)))
    matrix = data.observable.of_items(items)
    expected = predictor.fit(matrix, data.scale, chance)
    with StreamBackend(folder / "spill", memory) as backend:
        mine = ratings_by_user(partitioned_ratings(data, backend))
        sums = item_sums(mine)
        assert np.array_equal(sums.raters, raters)
        sides = two_sides(mine, items)
        found = fit_partitioned(predictor, sides, int(sums.codes[items].sum()), backend, chance)
        assert np.array_equal(found.users.view(np.uint32), expected.users.view(np.uint32))
        assert np.array_equal(found.items.view(np.uint32), expected.items.view(np.uint32))
        profiles = expected.users[:: max(len(data) // 2, 1)].astype(np.float64)
        supported = supported_factors(matrix, expected, fewest, profiles)
        again = supported_by_ratings(sides, found, raters[items], fewest, profiles, backend)
        assert np.array_equal(again.items.view(np.uint32), supported.items.view(np.uint32))


@pytest.mark.parametrize("memory", [30_000, 300_000, 10**9])
def test_factors_of_many_ratings_are_the_same_bits_in_any_number_of_partitions(folder, memory: int) -> None:
    data = _many_ratings()
    predictor, chance = predictors.read("als:factors=4,sweeps=3"), Randomness(3, bytes(range(32)))
    expected = predictor.fit(data.observable, data.scale, chance)
    with StreamBackend(folder / "spill", memory) as backend:
        mine = ratings_by_user(partitioned_ratings(data, backend))
        total = int(item_sums(mine).codes.sum())
        sides = two_sides(mine, np.arange(len(data.observable.items)))
        found = fit_partitioned(predictor, sides, total, backend, chance)
    assert np.array_equal(found.users.view(np.uint32), expected.users.view(np.uint32))
    assert np.array_equal(found.items.view(np.uint32), expected.items.view(np.uint32))


def _many_ratings() -> Ratings:
    rng, scale = np.random.default_rng(8), Scale(Fraction(1), Fraction(5))
    codes = np.where(rng.random((900, 12)) < 0.4, rng.integers(0, 5, (900, 12)), -1)
    items = RatingMatrix.from_dense(Vocabulary.numbered(12), codes, scale.dtype)
    return Ratings(Vocabulary.numbered(900), items, RatingMatrix.empty(900, scale.dtype), scale)


@given(
    rows=st.lists(st.tuples(st.integers(0, 4), st.sets(st.integers(0, 8), max_size=5)), max_size=8),
    points=st.sampled_from([2, 5]),
)
def test_joined_rows_have_the_ratings_of_all_in_order(rows: list[tuple[int, set[int]]], points: int) -> None:
    side, taken, given_rows = Side(9, Scale(Fraction(1), Fraction(points))), set[tuple[int, int]](), []
    for number, others in rows:
        new = [other for other in sorted(others) if (number, other) not in taken]
        taken |= {(number, other) for other in new}
        given_rows.append((number, new, [(number + other) % points for other in new]))
    frame = pl.DataFrame(given_rows, schema=dict(side.columns), orient="row")
    joined = side.joined(frame)
    expected = {number: sorted(other for one, other in taken if one == number) for number, _ in rows}
    assert dict(zip(joined["number"].to_list(), joined["others"].to_list(), strict=True)) == expected
    codes = {number: [(number + other) % points for other in others] for number, others in expected.items()}
    assert dict(zip(joined["number"].to_list(), joined["codes"].to_list(), strict=True)) == codes
