"""The laws of k^m-anonymity: implied by k-anonymity, monotone in k and m, and for m = 1 the least support."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.data import PRESENT, Ratings
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.models import KAnonymity, KmAnonymity
from shoal.testing import ratings

SETS = ratings(min_records=4, max_records=14, max_items=5, scales=[PRESENT])


def reached(data: Ratings, m: int) -> int:
    return int(judge(data, [KmAnonymity(2, m)], LocalEngine()).verdicts[0].level["k"])


@given(ratings(min_records=4), st.integers(2, 4), st.integers(1, 4))
def test_k_anonymity_implies_it_for_every_m(data, k, m):
    same, sets = judge(data, [KAnonymity(k), KmAnonymity(k, m)], LocalEngine()).verdicts
    assert sets.holds or not same.holds
    assert sets.level["k"] >= same.level["k"]


@given(SETS, st.integers(1, 4))
def test_the_more_may_be_known_the_fewer_people_are_left(data, m):
    assert reached(data, m) >= reached(data, m + 1)


@given(SETS, st.integers(2, 5), st.integers(1, 3))
def test_it_holds_exactly_up_to_the_level_that_is_told(data, k, m):
    if len(data) >= k:
        assert judge(data, [KmAnonymity(k, m)], LocalEngine()).holds == (k <= reached(data, m))


@given(SETS)
def test_with_one_item_it_is_the_least_support(data):
    support = data.observable.raters
    expected = min([*support[support > 0], len(data)])
    assert reached(data, 1) == expected


@given(SETS, st.integers(1, 4))
def test_the_level_is_that_of_looking_at_every_set(data, m):
    assert reached(data, m) == min(oracles.fewest_people(oracles.profiles(data), m))


@given(SETS, st.integers(2, 4), st.integers(1, 3))
def test_violations_are_people_who_hold_a_rarer_set(data, k, m):
    verdict = judge(data, [KmAnonymity(k, m)], LocalEngine())
    fewest = oracles.fewest_people(oracles.profiles(data), m)
    assert verdict.violating.tolist() == [number < k for number in fewest]
    assert verdict.verdicts[0].violations == int(np.count_nonzero(verdict.violating))


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(WordingError, match="k of at least 2"):
        KmAnonymity(1, 2)
    with pytest.raises(WordingError, match="m of at least 1"):
        KmAnonymity(2, 0)


def test_what_it_says_in_words():
    assert "at most 2 items" in KmAnonymity(5, 2).meaning
    assert "one item" in KmAnonymity(5, 1).meaning
