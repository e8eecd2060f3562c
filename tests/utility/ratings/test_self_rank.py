"""The place of people's own profile among all, against ordering them person by person."""

import dataclasses
import importlib

import numpy as np
import pytest
from hypothesis import given, settings

import utility_oracle
from comparisons import compared, profiled, profiles_of_groups, rated, ratings_before_and_after
from shoal.data import Ratings, Scale
from shoal.utility import MEASURES, Comparison, measured
from shoal.utility.ratings.profile_ranks import self_rank_histogram

RANK, FIRST = MEASURES["average self rank"], MEASURES["self rank first"]


def places(comparison: Comparison) -> tuple[list[tuple[int, int]], int]:
    before = utility_oracle.rows_of(comparison.whole)
    assert isinstance(comparison.whole, Ratings)
    scale = comparison.whole.scale
    some = [before[row] for row in comparison.origins.tolist()]
    return utility_oracle.self_places(some, utility_oracle.published_rows(comparison), scale.lowest - scale.step)


def check(comparison: Comparison) -> None:
    found = measured(comparison, [RANK, FIRST])
    expected, n_profiles = places(comparison)
    if not expected:
        assert found.reasons.keys() == {RANK.name, FIRST.name}
        return
    ranks = [1 + nearer + as_near / 2 for nearer, as_near in expected]
    assert found.values[RANK.name] == pytest.approx(sum(ranks) / len(ranks))
    firsts = [0 if nearer else 1 / (1 + as_near) for nearer, as_near in expected]
    assert found.values[FIRST.name] == pytest.approx(sum(firsts) / len(firsts))
    histogram = [sum(low / 4 < rank / n_profiles <= (low + 1) / 4 for rank in ranks) for low in range(4)]
    assert self_rank_histogram(comparison, bins=4).tolist() == histogram


@settings(max_examples=80)
@given(profiles_of_groups())
def test_ranks_of_profiles_are_what_ordering_them_gives(comparison):
    check(comparison)


@settings(max_examples=40)
@given(ratings_before_and_after())
def test_ranks_of_single_records_are_what_ordering_them_gives(pair):
    check(compared(*pair, withheld=1))


@settings(max_examples=40)
@given(profiles_of_groups())
def test_it_is_the_same_whether_a_profile_is_published_once_or_for_each(comparison):
    each = dataclasses.replace(comparison, released=comparison.published, places=None)
    assert measured(each, [RANK, FIRST]) == measured(comparison, [RANK, FIRST])


def golden() -> Comparison:
    """Three profiles of two items, in half steps, the second without item 0.

    Person 0 rated (1, 5): (1, 5) is 0 away, (null, 5) is 1 and (3, 3) is 8. Their own is the second: rank 2.
    Person 1 rated (3, null): (3, 3) is 0 away, (1, 5) is 4, (null, 5) is 9. Their own is the third: rank 1.
    Person 2 rated (2, null): (1, 5) and (3, 3) are 1 away. Their own is the first: rank 1½.
    Person 3 rated nothing.
    """
    whole = rated([[0, 4], [2, -1], [1, -1], [-1, -1]])
    return profiled(whole, [0, 1, 2, 3], [[0, 8], [-1, 8], [4, 4]], [1, 2, 0, 0], parts=2)


def test_ranks_by_hand():
    assert RANK(golden()) == pytest.approx((2 + 1 + 1.5) / 3)
    assert FIRST(golden()) == pytest.approx((0 + 1 + 0.5) / 3)
    assert self_rank_histogram(golden(), bins=3).tolist() == [1, 2, 0]
    assert self_rank_histogram(golden()).sum() == 3


def test_what_people_rated_is_all_that_counts():
    """The profile that differs only in what the person did not rate is as near."""
    comparison = profiled(rated([[2, -1], [4, -1]]), [0, 1], [[2, 0], [2, 4]], [0, 1], parts=1)
    assert RANK(comparison) == 1.5
    assert FIRST(comparison) == 0.5


def test_distances_stay_exact_on_fine_scales():
    """Codes of 60,000 squared and added up are still told apart by one."""
    scale = Scale.of(0, 60_000)
    whole = rated([[60_000] * 40, [0] * 40], scale=scale)
    near = [[0] * 40, [0] * 39 + [1]]
    comparison = profiled(whole, [0, 1], near, [0, 1], parts=1)
    assert RANK(comparison) == 2


@pytest.mark.parametrize("cells", [1, 7, 1 << 22])
def test_profiles_are_looked_at_in_blocks(monkeypatch, cells):
    chance = np.random.default_rng(5)
    whole = rated(chance.integers(-1, 5, (30, 6)).tolist())
    profiles = chance.integers(-1, 9, (9, 6)).tolist()
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.profile_ranks"), "_CELLS", cells)
    check(profiled(whole, list(range(30)), profiles, [row % 9 for row in range(30)], parts=2))


def test_of_many_people_some_are_drawn(monkeypatch):
    chance = np.random.default_rng(6)
    whole = rated(chance.integers(-1, 5, (200, 6)).tolist())
    profiles = chance.integers(0, 9, (20, 6)).tolist()
    comparison = profiled(whole, list(range(200)), profiles, [row % 20 for row in range(200)], parts=2)
    exact = RANK(comparison)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.profile_ranks"), "_PEOPLE", 120)
    some, again = (dataclasses.replace(comparison) for _ in range(2))
    assert RANK(some) == pytest.approx(exact, abs=1.5)
    assert RANK(some) == RANK(again) != exact
    assert self_rank_histogram(some).sum() == 120
