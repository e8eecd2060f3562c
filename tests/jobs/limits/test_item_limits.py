"""The largest k for an m, and the largest m for a k."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import shoal
from shoal.data import PRESENT
from shoal.errors import WordingError
from shoal.io import RatingsSchema, Source
from shoal.jobs.limits import ItemLimitsResult
from shoal.testing import ratings, surveys

SETS = ratings(min_records=2, max_items=5, max_sensitive=0, scales=[PRESENT])


def source(records) -> Source:
    return Source(records, RatingsSchema(kind="sets"), (), ())


@settings(max_examples=40)
@given(SETS, st.integers(1, 5))
def test_given_m_the_largest_k_is_found(records, m):
    result = shoal.limits(source(records), {"m": m})
    assert result.k == min(oracles.fewest_people(oracles.profiles(records), m))
    assert (result.promise is None) == (result.k == 1)


@settings(max_examples=40)
@given(SETS, st.integers(2, 4))
def test_given_k_the_largest_m_is_found(records, k):
    if len(records) < k:
        return
    result = shoal.limits(source(records), {"k": k})
    assert isinstance(result, ItemLimitsResult)
    profiles = oracles.profiles(records)
    longest = max(1, *(sum(mark is not None for mark in row) for row in profiles))
    holding = [m for m in range(1, longest + 1) if min(oracles.fewest_people(profiles, m)) >= k]
    assert result.m == max(holding, default=None)
    assert result.every_m == (result.m == longest)


JOINED = surveys(min_records=2, max_items=4, max_quasi_identifiers=1, max_sensitive=0, scales=[PRESENT])


@settings(max_examples=40)
@given(JOINED, st.integers(1, 4), st.integers(2, 3))
def test_of_a_survey_sets_are_counted_within_classes(records, m, k):
    assert shoal.limits(source(records), {"m": m}).k == min(oracles.fewest_of_class(records, m))
    if len(records) < k:
        return
    result = shoal.limits(source(records), {"k": k})
    holding = [many for many in range(1, 5) if min(oracles.fewest_of_class(records, many)) >= k]
    assert isinstance(result, ItemLimitsResult)
    assert (result.m is None) == (not holding)
    assert result.m is None or result.every_m or result.m == max(holding)
    alone = shoal.limits(source(records), {"m": m}, part="answers")
    assert alone.k == shoal.limits(source(records.ratings), {"m": m}).k
    assert alone.promise is None or alone.promise.part == "answers"


def test_of_ratings_k_alone_still_asks_for_epsilon_and_m_for_items():
    films = shoal.datasets.load("survey-ratings-2")
    whole = Source(films, RatingsSchema(layout="wide", scale=(1, 6)), (), ())
    assert "epsilon" in shoal.limits(whole, {"k": 2}).to_json()
    assert shoal.limits(whole, {"m": 1}).to_json()["m"] == 1


@pytest.mark.parametrize(("given_", "reason"), [({"epsilon": 1}, "no epsilon"), ({"k": 2, "m": 2}, "Give k or m")])
def test_what_sets_do_not_have_is_refused(given_, reason):
    records = shoal.datasets.generate_baskets(20, 5, 40, 1)
    with pytest.raises(WordingError, match=reason):
        shoal.limits(source(records), given_)
