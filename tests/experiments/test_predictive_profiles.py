"""What the experiments of predictive anonymization rest on: held-out ratings, nearest profiles, how null is read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.experiment import TINY
from experiments.held_out import held_out, item_means
from experiments.predictive._profiles import DATA, METHODS, fitted, padded_distances, profiles, rmse, split
from shoal.anonymizers.predictive.similarity import PaddedUsers
from shoal.data import Ratings
from shoal.testing.strategies import ratings as drawn_ratings


def cells(ratings: Ratings) -> set[tuple[int, int, int]]:
    codes = ratings.observable.dense()
    return {(int(row), int(item), int(codes[row, item])) for row, item in zip(*np.nonzero(codes >= 0), strict=True)}


@given(
    data=drawn_ratings(min_records=1, max_records=9, max_sensitive=0), share=st.floats(0, 1), seed=st.integers(0, 99)
)
def test_ratings_are_either_given_or_held_out(data: Ratings, share: float, seed: int) -> None:
    kept, (users, items, codes) = held_out(data, share, seed)
    held = {(int(user), int(item), int(code)) for user, item, code in zip(users, items, codes, strict=True)}
    assert len(held) == len(users)
    assert not cells(kept) & held
    assert cells(kept) | held == cells(data)


def test_the_mean_of_an_item_is_that_of_its_raters() -> None:
    given_ratings = split(DATA[0], TINY, 60, 0).given
    codes = given_ratings.observable.dense()
    for item, mean in enumerate(item_means(given_ratings)):
        rated = codes[:, item][codes[:, item] >= 0]
        if len(rated):
            assert mean == pytest.approx(1 + rated.mean())


def test_null_is_0_stars_in_the_distance_of_padded_ratings() -> None:
    test = split(DATA[0], TINY, 60, 0)
    users = PaddedUsers(test.given.observable, fitted(DATA[0], TINY, 60, 0), "squared", True)
    made = profiles(test.given, 5, METHODS["simple"], 0)
    assert np.isnan(made.stars).any()
    found = padded_distances(users, np.arange(4), made.stars)
    for user, row in enumerate(users.rows(np.arange(4)).tolist()):
        for profile, stars in enumerate(made.stars.tolist()):
            expected = sum(
                (code + 1 - (0 if star != star else star)) ** 2 for code, star in zip(row, stars, strict=True)
            )
            assert found[user, profile] == pytest.approx(expected, rel=1e-3)


def test_errors_are_of_the_profile_that_is_asked_and_of_the_reading_of_null() -> None:
    test = split(DATA[0], TINY, 60, 0)
    made = profiles(test.given, 5, METHODS["simple"], 0)
    by_zero, by_mean = (made.errors(test, made.own, null) for null in (0.0, test.means))
    for place, (user, item, star) in enumerate(zip(test.users, test.items, test.stars, strict=True)):
        cell = made.stars[made.own[user], item]
        if np.isnan(cell):
            assert by_zero[place] == -star
            assert by_mean[place] == pytest.approx(test.means[item] - star)
        else:
            assert by_zero[place] == by_mean[place] == pytest.approx(cell - star)
    assert rmse(np.array([3.0, -4.0])) == pytest.approx(12.5**0.5)
