"""The laws of k^m-anonymity: implied by k-anonymity, monotone in k and m, and for m = 1 the least support."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.data import PRESENT, Column, Microdata, Ratings, Role, Survey
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.models import KAnonymity, KmAnonymity
from shoal.testing import ratings, surveys
from surveys import survey

SETS = ratings(min_records=4, max_records=14, max_items=5, scales=[PRESENT])
JOINED = surveys(min_records=4, max_records=12, max_items=4, max_quasi_identifiers=1, scales=[PRESENT])


def reached(data: Ratings | Survey, m: int) -> int:
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


@given(JOINED, st.integers(1, 4))
def test_on_a_survey_the_level_is_that_of_looking_at_every_set_of_every_class(data, m):
    assert reached(data, m) == min(oracles.fewest_of_class(data, m))
    assert reached(data, m) >= reached(data, m + 1)


@given(JOINED, st.integers(2, 4), st.integers(1, 3))
def test_on_a_survey_violations_are_people_whose_class_holds_one_of_their_sets_too_rarely(data, k, m):
    verdict = judge(data, [KmAnonymity(k, m)], LocalEngine())
    assert verdict.violating.tolist() == [number < k for number in oracles.fewest_of_class(data, m)]


@given(JOINED, st.integers(2, 3), st.integers(1, 3))
def test_on_a_survey_it_follows_from_k_anonymity_and_both_parts_follow_from_it(data, k, m):
    asked = [
        KAnonymity(k),
        KmAnonymity(k, m),
        KmAnonymity(k, m, part="answers"),
        KAnonymity(k, part="demographics"),
    ]
    same, joined, answers, demographics = judge(data, asked, LocalEngine()).verdicts
    assert same.level["k"] <= joined.level["k"] <= min(answers.level["k"], demographics.level["k"])
    assert joined.holds or not same.holds
    assert (answers.holds and demographics.holds) or not joined.holds


def test_both_parts_may_keep_it_where_the_join_does_not():
    table = Microdata((Column.encode("sex", Role.QUASI_IDENTIFIER, pl.Series(["f", "f", "m", "m"])),))
    data = Survey(table, survey([[1, None], [None, 1], [1, None], [None, 1]], 1))
    asked = [KmAnonymity(2, 1, part="answers"), KAnonymity(2, part="demographics"), KmAnonymity(2, 1)]
    verdicts = judge(data, asked, LocalEngine()).verdicts
    assert [verdict.holds for verdict in verdicts] == [True, True, False]
    assert verdicts[2].violations == 4


def test_a_class_that_is_too_small_breaks_it_even_if_nobody_has_an_item():
    table = Microdata((Column.encode("sex", Role.QUASI_IDENTIFIER, pl.Series(["f", "f", "f", "m"])),))
    data = Survey(table, survey([[None], [None], [None], [None]], 1))
    assert judge(data, [KmAnonymity(2, 1)], LocalEngine()).violating.tolist() == [False, False, False, True]


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(WordingError, match="k of at least 2"):
        KmAnonymity(1, 2)
    with pytest.raises(WordingError, match="m of at least 1"):
        KmAnonymity(2, 0)


def test_what_it_says_in_words():
    assert "at most 2 items" in KmAnonymity(5, 2).meaning
    assert "one item" in KmAnonymity(5, 1).meaning
