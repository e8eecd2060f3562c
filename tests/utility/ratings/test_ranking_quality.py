"""nDCG@10 of what is published, against trying every order that it allows."""

import dataclasses
import importlib
import math

import numpy as np
import pytest
from hypothesis import given, settings

import utility_oracle
from comparisons import compared, profiled, profiles_of_groups, rated
from shoal.data import Ratings, Scale
from shoal.utility import MEASURES, measured

NDCG = MEASURES["nDCG@10"]


@settings(max_examples=60)
@given(profiles_of_groups())
def test_it_is_the_average_over_all_orders_that_are_allowed(comparison):
    assert isinstance(comparison.whole, Ratings)
    scale = comparison.whole.scale
    before, expected = utility_oracle.rows_of(comparison.whole), []
    for origin, row in zip(comparison.origins.tolist(), utility_oracle.published_rows(comparison), strict=True):
        items = [item for item, rating in enumerate(before[origin]) if rating is not None]
        if len(items) >= 2:
            steps = [int((before[origin][item] - scale.lowest) / scale.step) + 1 for item in items]
            expected.append(utility_oracle.ndcg(steps, [row[item] for item in items]))
    found = measured(comparison, [NDCG])
    if expected:
        assert found.values[NDCG.name] == pytest.approx(math.fsum(expected) / len(expected))
    else:
        assert "rated enough" in found.reasons[NDCG.name]


def of_one(given: list[int], published: list[int]) -> float:
    return NDCG(compared(rated([given]), rated([published])))


def test_by_hand():
    """Ratings 1, 3 and 2 gain 1, 7 and 3; told in the order 1, 3, 2 and, at best, 3, 2, 1."""
    third = 1 / math.log2(3)
    assert of_one([0, 2, 1], [4, 3, 2]) == pytest.approx((1 + 7 * third + 3 / 2) / (7 + 3 * third + 1 / 2))
    assert of_one([0, 2, 1], [0, 4, 3]) == pytest.approx(1)


def test_equal_values_stand_in_any_order_and_null_stands_last():
    third = 1 / math.log2(3)
    assert of_one([0, 2], [1, 1]) == pytest.approx((4 + 4 * third) / (7 + third))
    assert of_one([0, 2], [0, -1]) == pytest.approx((1 + 7 * third) / (7 + third))
    assert of_one([0, 2], [-1, -1]) == of_one([0, 2], [1, 1])


def test_only_ten_places_count():
    """Eleven items: the only good one is told last of all, or in the last of ten places."""
    good_first = [4] + [0] * 10
    ideal = 31 + sum(1 / math.log2(place + 1) for place in range(2, 11))
    rest = sum(1 / math.log2(place + 1) for place in range(1, 10))
    scale = Scale.of(1, 11)
    last = NDCG(compared(rated([good_first], scale=scale), rated([list(range(11))], scale=scale)))
    assert last == pytest.approx((rest + 1 / math.log2(11)) / ideal)
    tenth = [1, 0, *range(2, 11)]
    found = NDCG(compared(rated([good_first], scale=scale), rated([tenth], scale=scale)))
    assert found == pytest.approx((rest + 31 / math.log2(11)) / ideal)


def test_who_rated_one_item_is_left_out():
    before = rated([[0, 2, -1], [3, -1, -1]])
    assert NDCG(compared(before, rated([[0, 4, 3], [-1, 1, 1]]))) == pytest.approx(1)


def test_a_scale_of_thousands_of_points_does_no_harm():
    scale = Scale.of(0, 5_000)
    before = rated([[5_000, 0, 4_999]], scale=scale)
    third = 1 / math.log2(3)
    found = NDCG(compared(before, rated([[0, 1, 2]], scale=scale)))
    assert found == pytest.approx((0.5 + 1 / 2) / (1 + 0.5 * third))


def test_of_many_people_some_are_drawn(monkeypatch):
    chance = np.random.default_rng(7)
    whole = rated(chance.integers(-1, 5, (300, 8)).tolist())
    profiles = chance.integers(0, 9, (20, 8)).tolist()
    comparison = profiled(whole, list(range(300)), profiles, [row % 20 for row in range(300)], parts=2)
    exact = NDCG(comparison)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.profile_ranks"), "_RANKED_PEOPLE", 150)
    some = NDCG(dataclasses.replace(comparison))
    assert some == NDCG(dataclasses.replace(comparison)) != exact
    assert some == pytest.approx(exact, abs=0.05)
