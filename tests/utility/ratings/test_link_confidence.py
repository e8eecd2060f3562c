"""How sure one may be that somebody rated an item, against adding up every way it may be."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import utility_oracle
from comparisons import compared, profiled, profiles_of_groups, rated, ratings_before_and_after
from shoal.utility import MEASURES, Comparison, measured
from shoal.utility.ratings.link_confidence import link_confidence, link_confidence_bound

HIGHEST = MEASURES["link confidence"]
SHARES = st.fractions(0, 1, max_denominator=1_000).filter(bool)


@settings(max_examples=40)
@given(p=SHARES, k=st.integers(1, 8))
def test_it_is_bayes_rule_over_everybody_who_may_have_rated(p, k):
    assert link_confidence(p, k) == utility_oracle.posterior(p, k)


@given(p=SHARES, k=st.integers(1, 200))
def test_the_paper_says_at_most_and_it_is_at_least_one_in_k(p, k):
    """Theorem 6.2 the other way round."""
    confidence = link_confidence(p, k)
    assert max(Fraction(1, k), p) <= confidence <= 1
    assert confidence == Fraction(1, k) or k > 1


@given(p=SHARES, k=st.integers(1, 200))
def test_the_papers_bound_holds_where_it_is_given(p, k):
    """Theorem 6.3."""
    bound = link_confidence_bound(p, k)
    assert (bound is None) == (p > Fraction(1, k))
    if bound is not None:
        assert link_confidence(p, k) <= bound <= Fraction(2, k)


def test_by_hand():
    """p = ½ and k = 2: of three cases in four, two are with the first. The bound, ½ + ½, is at its end."""
    assert link_confidence(Fraction(1, 2), 2) == Fraction(2, 3)
    assert link_confidence_bound(Fraction(1, 2), 2) == 1
    assert link_confidence_bound(Fraction(1, 10), 5) == Fraction(1, 5) + Fraction(1, 15)
    assert link_confidence(Fraction(1), 7) == link_confidence(1.0, 7) == 1
    assert link_confidence_bound(Fraction(1, 4), 5) is None


def test_popular_items_of_movielens_are_beyond_the_bound():
    """The most popular film of MovieLens 100K was rated by 583 of 943: in groups of 5 the paper would say 1/5."""
    confidence = link_confidence(Fraction(583, 943), 5)
    assert confidence > Fraction(62, 100)
    assert link_confidence_bound(Fraction(583, 943), 5) is None


@given(p=SHARES, k=st.integers(1, 10_000))
def test_floats_come_as_close_as_floats_can(p, k):
    exact = link_confidence(p, k) if k <= 200 else None
    found = link_confidence(float(p), k)
    assert found >= max(1 / k, float(p)) * (1 - 1e-12)
    if exact is not None:
        assert found == pytest.approx(float(exact), rel=1e-12)


def test_rare_items_do_not_get_lost_in_rounding():
    assert link_confidence(1e-18, 50) == pytest.approx(1 / 50)


def test_no_share_is_no_question():
    for p, k in ((Fraction(0), 5), (Fraction(2), 5), (Fraction(1, 2), 0)):
        for asked in (link_confidence, link_confidence_bound):
            with pytest.raises(AssertionError):
                asked(p, k)


def check(comparison: Comparison) -> None:
    found = measured(comparison, [HIGHEST])
    before, after = utility_oracle.rows_of(comparison.whole), utility_oracle.published_rows(comparison)
    expected = utility_oracle.highest_posterior(before, after)
    if expected is None:
        assert "somebody rated" in found.reasons[HIGHEST.name]
    else:
        assert found.values[HIGHEST.name] == pytest.approx(float(expected))


@settings(max_examples=60)
@given(profiles_of_groups())
def test_the_highest_of_profiles_is_what_asking_everybody_gives(comparison):
    check(comparison)


@settings(max_examples=40)
@given(ratings_before_and_after())
def test_the_highest_of_single_records_is_what_asking_everybody_gives(pair):
    check(compared(*pair, withheld=1))


def test_the_highest_by_hand():
    """Of five people, two rated item 0, which a group of three holds, and one item 1, which a pair holds.

    The pair is published as two equal profiles. Nobody rated item 2.
    """
    whole = rated([[0, 0, -1], [1, -1, -1], [-1, -1, -1], [-1, -1, -1], [-1, -1, -1]])
    profiles = [[-1, 3, 1], [2, -1, 0], [-1, 3, 1]]
    comparison = profiled(whole, [0, 1, 2, 3, 4], profiles, [0, 1, 1, 1, 2], parts=1)
    assert HIGHEST(comparison) == pytest.approx(1 / 5 / (1 - (4 / 5) ** 2))
    assert HIGHEST(comparison) > 2 / 5 / (1 - (3 / 5) ** 3)
