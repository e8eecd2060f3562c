"""The attack unicity, against somebody who tries every set of items of every person."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
from attack_releases import FINE, fitting, ratings_of, releases
from shoal.attacks import Exposure, Unicity, attacks
from shoal.attacks.uniqueness import unicity
from shoal.datasets import load
from shoal.errors import WordingError
from shoal.io import RatingsSchema, read
from shoal.randomness import Randomness

BY = st.sampled_from(["items", "ratings"])


def fewest(exposure, person, size, by):
    """How few people a person can be among who is known by at most so many items, all of which their record shows."""
    true = {item: x for item, x in enumerate(oracles.profiles(exposure.truth)[person]) if x is not None}
    tolerance = None if by == "items" else Fraction(0)
    counts = []
    for some in range(size + 1):
        for items in itertools.combinations(true, some):
            rows = fitting(exposure, {item: true[item] for item in items}, tolerance)
            if exposure.place[person] in rows:
                counts.append(sum(rows.values()))
    return min(counts)


@given(releases(), st.integers(1, 5), BY)
def test_everybody_is_found_by_the_items_that_are_best_to_know(exposure, most, by):
    attack = Unicity(most, by)
    assume(attack.misfit(exposure) is None)
    finding = attack.run(exposure, Randomness(1))
    people = [person for person, row in enumerate(exposure.place) if row >= 0]
    found = {size: [fewest(exposure, person, size, by) for person in people] for size in range(1, most + 1)}
    assert finding.targets == len(people)
    assert finding.main == pytest.approx(np.mean([1 / count for count in found[most]]))
    assert finding.baseline == pytest.approx(1 / sum(exposure.people.tolist()))
    shares = {f"singled_out_by_{size}": np.mean([count == 1 for count in found[size]]) for size in found}
    assert finding.details == pytest.approx(
        {
            **shares,
            "fewest_that_single_out": min([size for size in found if 1 in found[size]], default=0),
            "fewest_candidates": min(found[most]),
            "people_not_decided": 0,
        }
    )


@settings(max_examples=30)
@given(releases(), st.integers(1, 5), BY)
def test_more_knowledge_never_finds_fewer(exposure, most, by):
    assume(Unicity(most, by).misfit(exposure) is None)
    found = Unicity(most, by).run(exposure, Randomness(1))
    more = Unicity(most + 1, by).run(exposure, Randomness(1))
    rounding = 1e-12
    assert more.main + rounding >= found.main >= found.baseline - rounding
    if by == "items" and exposure.seen is exposure.truth:
        assert Unicity(most, "ratings").run(exposure, Randomness(1)).main >= found.main - rounding


@settings(max_examples=30)
@given(releases(), st.integers(1, 4), BY, st.integers(2, 4))
def test_nobody_is_found_among_fewer_than_share_a_profile(exposure, most, by, k):
    """Everybody's record is published k times, as k-anonymity has it."""
    attack = Unicity(most, by)
    assume(attack.misfit(exposure) is None)
    seen = exposure.seen.of_each(np.tile(np.arange(len(exposure.seen)), k))
    finding = attack.run(Exposure(exposure.truth, seen, exposure.place), Randomness(1))
    assert finding.main <= 1 / k + 1e-12
    assert finding.details["fewest_candidates"] >= k


RAW = Exposure.of_itself(ratings_of([(5, 1, None), (5, None, 2), (None, 1, 2), (4, 1, 2)]))
"""Every two items are those of two people; the last has all three."""


def test_two_items_leave_two_and_three_single_out():
    found = Unicity(3).run(RAW, Randomness(1))
    assert found.main == pytest.approx((3 / 2 + 1) / 4)
    assert [found.details[f"singled_out_by_{b}"] for b in (1, 2, 3)] == [0, 0, 1 / 4]
    assert (found.details["fewest_that_single_out"], found.details["fewest_candidates"]) == (3, 1)


def test_one_rating_singles_out_whom_items_do_not():
    found = Unicity(1, "ratings").run(RAW, Randomness(1))
    assert (found.details["singled_out_by_1"], found.details["fewest_that_single_out"]) == (1 / 4, 1)


def test_the_control_knows_what_is_best_to_know_of_another():
    alone = Exposure.of_itself(ratings_of([(1, None), (None, 1)]))
    found = Unicity(1).run(alone, Randomness(1))
    assert (found.main, found.control, found.baseline) == (1, 0, 1 / 2)
    inside = Exposure.of_itself(ratings_of([(1, None), (1, 1)]))
    # the second's set is the second item, which the first does not have; the first's is the first, which both have
    assert Unicity(2).run(inside, Randomness(1)).control == pytest.approx((0 + 1 / 2) / 2)


def test_a_rating_between_the_points_on_which_people_rated_cannot_be_known():
    truth = ratings_of([(3, 2), (3, 4)])
    seen = ratings_of([(Fraction(7, 2), 2), (Fraction(3), Fraction(9, 2))], FINE)
    found = Unicity(2, "ratings").run(Exposure(truth, seen, np.arange(2)), Randomness(1))
    assert (found.main, found.details["singled_out_by_1"]) == (1, 1)
    swapped = Unicity(2, "ratings").run(Exposure(truth, seen, np.array([1, 0])), Randomness(1))
    assert swapped.main == pytest.approx((1 + 1 / 2) / 2)


def test_where_a_search_is_given_up_it_is_said_how_many_are_not_decided(monkeypatch):
    monkeypatch.setattr(unicity, "_MOST_STEPS", 0)
    found = Unicity(3).run(RAW, Randomness(1))
    assert found.details["people_not_decided"] == 4
    assert found.main == pytest.approx(1 / 3), "what is said of them is what one item gives away"
    assert Unicity(1).run(RAW, Randomness(1)).details["people_not_decided"] == 0


def test_steps_that_others_did_not_need_are_left_to_those_who_are_hard_to_decide(monkeypatch):
    """Three of six have an item of their own."""
    rows = [(5, 1, None, None), (5, None, 2, None), (None, 1, 2, None)] + [(5, 1, 2, 3)] * 3
    exposure = Exposure.of_itself(
        ratings_of([(*row, *(3 if i == p else None for i in (3, 4, 5))) for p, row in enumerate(rows)])
    )
    search, asked = unicity.fewest_sharing_subsets, []

    def counted(*given):
        out = search(*given)
        asked.append((len(given[2]), given[-1], int((out[2] < 2).sum())))
        return out

    monkeypatch.setattr(unicity, "fewest_sharing_subsets", counted)
    monkeypatch.setattr(unicity, "_MOST_STEPS", 150)
    found = Unicity(2).run(exposure, Randomness(1))
    assert asked == [(6, 25, 3), (3, 50, 0)]
    assert found.details["people_not_decided"] == 0
    monkeypatch.setattr(unicity, "_MOST_STEPS", 10**9)
    assert Unicity(2).run(exposure, Randomness(1)) == found


def test_targets_are_drawn():
    assert Unicity(3, targets=2).run(RAW, Randomness(1)).targets == 2


def test_odd_settings_are_refused():
    for odd in ("most=0", "most=9", "targets=0", "by=dates"):
        with pytest.raises(WordingError, match="unicity"):
            attacks.read(f"unicity:{odd}")


def test_where_nothing_can_be_known_it_is_said(monkeypatch):
    empty = Exposure.of_itself(ratings_of([(None,), (None,)]))
    assert Unicity().misfit(empty) == "Nobody who is published rated an observable item."
    monkeypatch.setattr(unicity, "_MOST_COLUMNS", 14)
    assert Unicity().misfit(RAW) is None
    assert "too many different ratings" in (Unicity(by="ratings").misfit(RAW) or "")
    assert Unicity().misfit(Exposure.of_itself(load("thesis-2.1"))) is not None


def test_usual_are_items_and_ratings_of_everybody_or_of_many(monkeypatch):
    assert Unicity.usual(RAW) == (Unicity(), Unicity(by="ratings"))
    monkeypatch.setattr(unicity, "_USUAL_PAIRS", 4 * 3)
    monkeypatch.setattr(unicity, "_FEWEST_TARGETS", 2)
    assert {attack.targets for attack in Unicity.usual(RAW)} == {3}
    monkeypatch.setattr(unicity, "_USUAL_PAIRS", 0)
    assert {attack.targets for attack in Unicity.usual(RAW)} == {2}


def test_a_sentence_says_what_is_known():
    assert "the one item of a person, without the ratings" in Unicity(1).meaning
    assert "the 4 items of a person, with the ratings" in Unicity(by="ratings").meaning


@pytest.mark.shared
def test_on_raw_movielens_two_ratings_single_nearly_everybody_out(shared_data):
    source = read(shared_data / "ratings/ml-100k/u.data", RatingsSchema(layout="movielens", scale=(1, 5)))
    exposure = Exposure.of_itself(source.records)
    by_items = Unicity().run(exposure, Randomness(1)).details
    assert [round(by_items[f"singled_out_by_{b}"] * 943) for b in (1, 2, 3, 4)] == [58, 606, 807, 868]
    assert by_items["people_not_decided"] == 0
    by_ratings = Unicity(by="ratings").run(exposure, Randomness(1)).details
    assert [round(by_ratings[f"singled_out_by_{b}"] * 943) for b in (1, 2, 3)] == [350, 942, 943]
