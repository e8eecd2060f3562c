"""Greedy interval: the tables of its paper, and what it must be on any data."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import GreedyInterval
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import Ratings
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.kernels.groups.group_costs import best_interval
from shoal.models import KAnonymity, KEpsilon, PrivacyModel
from shoal.randomness import Randomness
from shoal.testing.strategies import ratings as drawn_ratings
from surveys import ACCEPTED, survey

Rows = list[list[int | None]]


def recoded(data: Ratings, model: PrivacyModel, method: GreedyInterval | None = None) -> list[oracles.Profile]:
    made = (method or GreedyInterval()).recode(data, [model], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Ratings)
    return oracles.profiles(made)


def made(rows: Rows, r: int, model: PrivacyModel, method: GreedyInterval | None = None) -> Rows:
    profiles = recoded(survey(rows, r), model, method)
    return [[None if rating is None else int(rating) for rating in row] for row in profiles]


def interval_costs(ratings: list[int], length: int) -> dict[int, int]:
    return {
        start: sum(max(start - rating, rating - start - length, 0) for rating in ratings)
        for start in range(min(ratings), max(ratings) - length + 1)
    }


@pytest.mark.parametrize(
    ("ratings", "length", "costs", "outcomes"),
    [
        ([3, 4, 5, 6, 7, 7, 8, 8], 2, {3: 11, 4: 7, 5: 5, 6: 6}, [[5, 5, 5, 6, 7, 7, 7, 7]]),
        ([6, 3, 4, 2], 1, {2: 4, 3: 3, 4: 4, 5: 6}, [[4, 3, 4, 3]]),
        ([1, 6, 5, 5], 1, {1: 10, 2: 8, 3: 6, 4: 4, 5: 4}, [[4, 5, 5, 5], [5, 6, 5, 5]]),
    ],
    ids=["Table II", "Table III, issue 1", "Table III, issue 2"],
)
def test_the_tables_of_the_paper(ratings, length, costs, outcomes):
    assert interval_costs(ratings, length) == costs
    outcome = [row[0] for row in made([[rating] for rating in ratings], 8, KEpsilon(2, Fraction(length)))]
    assert outcome in outcomes
    start, cost = best_interval(np.bincount(ratings, minlength=9), length)
    assert (cost, costs[start]) == (min(costs.values()), min(costs.values()))


def test_the_printed_loop_would_miss_the_best_interval():
    """(8 − 3)/2 = 2.5 allows two intervals, and the second costs 7; the third costs 5."""
    costs = list(interval_costs([3, 4, 5, 6, 7, 7, 8, 8], 2).values())
    assert min(costs[:2]) == 7
    assert min(costs) == 5


def test_a_whole_hamming_group_is_squeezed_into_one_box():
    """The paper's first group with k = 2: 7, where two pairs would cost 4."""
    before: Rows = [[6, 1], [3, 6], [4, 5], [2, 5]]
    after = made(before, 6, KEpsilon(2, Fraction(1)))
    assert after == [[4, 4], [3, 5], [4, 5], [3, 5]]
    assert (
        RatingCosts.on(survey(before, 6).scale).between(survey(before, 6).observable, survey(after, 6).observable) == 7
    )


def test_a_group_of_exactly_k_is_large_enough():
    rows: Rows = [[1, None], [1, None], [None, 5], [None, 5]]
    assert made(rows, 5, KEpsilon(2, Fraction(1))) == rows


def test_records_of_small_groups_take_the_cheapest_pattern_at_the_middle_of_its_group():
    large: Rows = [[1, 3, None], [1, 4, None], [1, 5, None], [None, None, 2], [None, None, 2], [None, None, 2]]
    small: Rows = [[1, None, None], [None, 1, 2]]
    after = made(large + small, 5, KAnonymity(3))
    # inventing issue 1 costs 3, dropping issue 0 and inventing issue 2 costs 5; and dropping issue 1 costs 2
    assert after == [[1, 4, None]] * 3 + [[None, None, 2]] * 3 + [[1, 4, None], [None, None, 2]]


def test_costs_decide_which_pattern_is_cheapest():
    rows: Rows = [[1, 2, 3], [1, 2, 3], [1, None, None], [1, None, None], [1, 2, None]]
    assert made(rows, 5, KAnonymity(2))[4] == [1, None, None]
    assert made(rows, 5, KAnonymity(2), GreedyInterval(invent_cost=Fraction(1)))[4] == [1, 2, 3]
    assert made(rows, 5, KAnonymity(2), GreedyInterval(drop_cost=Fraction(4)))[4] == [1, 2, 3]


def test_where_no_group_is_large_the_nearest_are_merged():
    rows: Rows = [[1, 1, None], [2, None, None], [None, None, 5], [1, None, None]]
    after = made(rows, 5, KEpsilon(3, Fraction(1)))
    assert after == [[1, None, None], [2, None, None], [1, None, None], [1, None, None]]


def test_no_more_are_merged_than_are_needed():
    """With the last record, the second issue would be dropped by all."""
    rows: Rows = [[1, 2, None], [1, 2, None], [1, None, None], [None, None, 3]]
    assert made(rows, 5, KEpsilon(3, Fraction(1))) == [[1, 2, None]] * 4


def test_own_ratings_are_kept_within_the_pattern():
    assert made([[1, 1], [1, 1], [2, None]], 5, KEpsilon(2, Fraction(1))) == [[1, 1], [1, 1], [2, 1]]


def test_nothing_is_dropped_inside_a_group_however_far_it_is_squeezed():
    assert made([[1], [7]], 7, KAnonymity(2)) == [[1], [1]]


def test_costs_below_nothing_are_refused():
    with pytest.raises(WordingError):
        GreedyInterval(drop_cost=Fraction(-1))
    with pytest.raises(WordingError):
        GreedyInterval(invent_cost=Fraction(-1, 2))


@settings(max_examples=60)
@given(drawn_ratings(min_records=3, max_records=8), st.integers(2, 3), st.sampled_from(["0", "1/2", "1", "3"]))
def test_the_road_never_refuses_it(data: Ratings, k: int, epsilon: str):
    for model in (
        KEpsilon(k, Fraction(epsilon)),
        KEpsilon(k, Fraction(epsilon), semantics="partition"),
        KAnonymity(k),
    ):
        release, _ = road.publish(data, [model], GreedyInterval(), accept=ACCEPTED)
        assert oracles.holds(release.records, model)


@given(drawn_ratings(min_records=2, max_records=10, max_items=3), st.sampled_from(["0", "1/2", "1", "3"]))
def test_large_groups_keep_their_pattern_at_the_least_cost(data: Ratings, epsilon: str):
    """Counted plainly, over every start there is."""
    before = oracles.profiles(data)
    flags = [tuple(rating is None for rating in row) for row in before]
    if min(Counter(flags).values()) < 2:
        return
    after = recoded(data, KEpsilon(2, Fraction(epsilon)))
    assert [tuple(rating is None for rating in row) for row in after] == flags
    points = [data.scale.lowest + step * data.scale.step for step in range(data.scale.points)]
    if Fraction(epsilon) >= oracles.farthest(data):
        assert after == before
        return
    intervals = [(a, b) for a in points for b in points if 0 <= b - a <= Fraction(epsilon)]
    for flag in set(flags):
        members = [row for row, other in enumerate(flags) if other == flag]
        for issue in [issue for issue, null in enumerate(flag) if not null]:
            ratings = [before[row][issue] or Fraction(0) for row in members]
            outcome = [after[row][issue] or Fraction(0) for row in members]
            spent = sum(abs(x - y) for x, y in zip(ratings, outcome, strict=True))
            assert spent == min(sum(max(a - x, x - b, Fraction(0)) for x in ratings) for a, b in intervals)
