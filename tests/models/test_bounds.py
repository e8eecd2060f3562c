"""The bounds of chapter 7 hold and are tight; what the thesis claims beyond them does not hold."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import oracles
from shoal.data import Ratings, Scale
from shoal.datasets import load
from shoal.engines import LocalEngine
from shoal.evidence import RatingMoments
from shoal.jobs.limits.neighborhood_limits import (
    largest_k,
    largest_spread,
    largest_spread_of_groups,
    largest_squared_spread,
)
from shoal.models.spread import Spread

R = 5


def together(groups):
    return list(itertools.chain.from_iterable(groups))


def squared_spread(values, reading: str) -> Fraction:
    exact = [None if value is None else Fraction(value) for value in values]
    spread = oracles.squared_spread(exact, reading, "refuse", R)
    assert spread is not None
    return spread


def variance(values) -> Fraction:
    return squared_spread(values, "non-null")


@pytest.mark.parametrize(("n", "expected"), [(2, 2.0), (3, 1.885618), (20, 2.0), (21, 1.997731)])
def test_the_largest_spread_on_1_to_5(n, expected):
    assert largest_spread(Fraction(1), Fraction(5), n) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_no_ratings_spread_by_more_than_the_largest_spread_and_some_by_as_much(n):
    spreads = [variance(values) for values in itertools.combinations_with_replacement(range(1, R + 1), n)]
    assert max(spreads) == largest_squared_spread(Fraction(1), Fraction(R), n)


def test_theorem_7_1_fails_on_its_own_example():
    """Table 7.1, ε = 1, the parts {t1…t4} and {t5, t6}: the theorem says k ≤ 1, and k = 2 holds."""
    survey = load("survey-ratings-2")
    assert isinstance(survey, Ratings)
    rows = oracles.profiles(survey)
    parts = [rows[:4], rows[4:]]
    shares = [Fraction(max(oracles.neighbors(part, 1, 7)) + 1, len(part)) for part in parts]
    assert shares == [Fraction(3, 4), 1]
    claimed = -(-(max(oracles.neighbors(rows, 1, 7)) + 1) * len(parts[1]) // len(rows))
    others = LocalEngine().neighbors(survey, Fraction(1)).others
    assert (claimed, largest_k(others + 1)) == (1, 2)


def test_lemma_7_1_fails():
    parts = [[(3, 3), (1, 5)], [(2, 2), (4, 4)]]
    share, *shares = (Fraction(max(oracles.neighbors(rows, 1, 5)) + 1, len(rows)) for rows in [together(parts), *parts])
    assert (share, shares) == (Fraction(3, 4), [Fraction(1, 2)] * 2)


# ── the spread of groups ──────────────────────────────────────────────────────────────────────────────────────────


def moments_of(values, lowest=1, highest=R) -> RatingMoments:
    """The moments of one group and one issue, counted here."""
    codes = [value - lowest for value in values if value is not None]
    numbers = (len(values), len(codes), sum(codes), sum(code**2 for code in codes))
    return RatingMoments.of_columns(Scale.of(lowest, highest), np.array([numbers], np.int64))


RATING = st.none() | st.integers(1, R)
GROUPS = st.lists(st.lists(RATING, min_size=1, max_size=4), min_size=1, max_size=4)


@example([[1, 5], [None]], "over-all", "accept")
@given(GROUPS, st.sampled_from(["non-null", "over-all"]), st.sampled_from(["refuse", "accept"]))
def test_not_all_groups_spread_by_more_than_everybody(groups, reading, all_null):
    spreads = [oracles.squared_spread(_exact(group), reading, all_null, R) for group in groups]
    defined = [spread for spread in spreads if spread is not None]
    bound = largest_spread_of_groups(moments_of(together(groups)), Spread(reading, all_null))
    if defined:
        assert bound is not None
        assert min(defined) <= bound
    else:
        assert bound is None


@pytest.mark.parametrize(
    ("reading", "groups"),
    [("null-as-zero", [[1, 5], [3, 4, None]]), ("pairwise", [[1, 5], [3] * 9 + [None] * 2])],
)
def test_lemma_7_2_fails_where_nulls_count_so_no_bound_is_given(reading, groups):
    one, other, both = (squared_spread(values, reading) for values in [*groups, together(groups)])
    assert both < min(one, other)
    assert largest_spread_of_groups(moments_of(together(groups)), Spread(reading)) is None


def test_neighborhoods_may_all_spread_by_more_than_everybody():
    places = [(2, 1), (4, 3), (2, 5), (1, 5), (1, 2), (3, 4), (5, 1)]
    secrets = [3, 5, 3, 3, 3, 5, 3]
    near = [[b for y, b in zip(places, secrets, strict=True) if oracles.proximate(x, y, 2, R)] for x in places]
    assert min(map(variance, near)) > variance(secrets)


def _exact(values):
    return [None if value is None else Fraction(value) for value in values]
