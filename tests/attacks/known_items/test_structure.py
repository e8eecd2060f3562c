"""The attacks structure and label, against somebody who goes through all records for each person."""

from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
from attack_releases import FINE, chance, fitting, ratings_of, releases
from shoal.attacks import Exposure, Label, Structure, attacks
from shoal.attacks.known_items import matching
from shoal.datasets import load
from shoal.errors import WordingError
from shoal.io import RatingsSchema, read
from shoal.randomness import Randomness

SETTINGS = {"items": st.integers(1, 3), "outside_top": st.integers(0, 3), "targets": st.none() | st.integers(1, 5)}
ATTACKS = st.builds(Structure, **SETTINGS) | st.builds(
    Label,
    **SETTINGS,
    tolerance=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(9)]),
)


def watched(attack, exposure, seed=0):
    """The finding, and for each person what was known of them: items and their true ratings."""
    drawn, profiles = [], oracles.profiles(exposure.truth)
    draw = matching.draw_known_items

    def remember(*asked):
        drawn.append(draw(*asked))
        return drawn[0]

    with mock.patch.object(matching, "draw_known_items", remember):
        finding = attack.run(exposure, Randomness(seed))
    items = exposure.truth.observable.indices[drawn[0].entries].tolist()
    known = {
        person: {item: profiles[person][item] for item in line}
        for person, line in zip(drawn[0].targets.tolist(), items, strict=True)
    }
    return finding, known


@given(releases(), ATTACKS, st.integers(0, 9))
def test_success_is_that_of_taking_anybody_who_fits(exposure, attack, seed):
    assume(attack.misfit(exposure) is None)
    tolerance = attack.tolerance if isinstance(attack, Label) else None
    finding, known = watched(attack, exposure, seed)
    n = sum(exposure.people.tolist())
    fits = {person: fitting(exposure, ratings, tolerance) for person, ratings in known.items()}
    candidates = {person: sum(rows.values()) for person, rows in fits.items()}
    there = {person: exposure.place[person] in rows for person, rows in fits.items()}
    assert finding.targets == len(known)
    chances = [chance(exposure, person, ratings, tolerance) for person, ratings in known.items()]
    assert finding.main == pytest.approx(np.mean(chances))
    assert finding.baseline == pytest.approx(1 / n)
    assert finding.details == pytest.approx(
        {
            "singled_out": np.mean([there[person] and candidates[person] == 1 for person in known]),
            "among_candidates": np.mean(list(there.values())),
            "without_candidates": np.mean([count == 0 for count in candidates.values()]),
            "average_candidates": np.mean(list(candidates.values())),
            "fewest_candidates": min([candidates[person] for person in known if there[person]], default=n),
        }
    )


@settings(max_examples=40)
@given(releases(), ATTACKS, st.integers(0, 9))
def test_the_control_knows_what_is_true_of_another(exposure, attack, seed):
    """With two targets the other is the only one there is."""
    assume(attack.misfit(exposure) is None)
    finding, known = watched(attack, exposure, seed)
    assume(len(known) <= 2)
    tolerance = attack.tolerance if isinstance(attack, Label) else None
    people = list(known)
    chances = [
        chance(exposure, one, known[other], tolerance) for one, other in zip(people, reversed(people), strict=True)
    ]
    assert finding.control == pytest.approx(np.mean(chances))


@settings(max_examples=40)
@given(releases(), ATTACKS)
def test_nobody_is_attacked_without_so_many_items_to_know_of(exposure, attack):
    profiles = oracles.profiles(exposure.truth)
    raters = [sum(row[item] is not None for row in profiles) for item in range(len(profiles[0]))]
    top = sorted(range(len(raters)), key=lambda item: (-raters[item], item))[: attack.outside_top]
    left = [sum(rating is not None for item, rating in enumerate(row) if item not in top) for row in profiles]
    enough = [person for person, row in enumerate(exposure.place) if row >= 0 and left[person] >= attack.items]
    reason = attack.misfit(exposure)
    assert (reason is None) == bool(enough)
    if reason is None:
        assert set(watched(attack, exposure)[1]) <= set(enough)
        assert len(watched(attack, exposure)[1]) == min(len(enough), attack.targets or 99)


@settings(max_examples=40)
@given(releases(), st.builds(Structure, **SETTINGS), st.integers(0, 9))
def test_ratings_tell_those_apart_who_rated_the_same_items(exposure, attack, seed):
    """Both know of the same items; on raw data, who knows the ratings too does not do worse with anybody."""
    assume(attack.misfit(exposure) is None)
    label = Label(attack.items, attack.outside_top, attack.targets)
    without, with_ratings = watched(attack, exposure, seed), watched(label, exposure, seed)
    assert without[1] == with_ratings[1]
    if exposure.seen is exposure.truth:
        assert with_ratings[0].main >= without[0].main - 1e-12


@settings(max_examples=40)
@given(releases(), ATTACKS, st.integers(2, 4))
def test_nobody_is_found_among_fewer_than_share_a_profile(exposure, attack, k):
    """Everybody's record is published k times, as k-anonymity has it."""
    assume(attack.misfit(exposure) is None)
    seen = exposure.seen.of_each(np.tile(np.arange(len(exposure.seen)), k))
    alike = Exposure(exposure.truth, seen, exposure.place)
    finding = attack.run(alike, Randomness(1))
    assert finding.main <= 1 / k + 1e-12
    assert finding.details["fewest_candidates"] >= k
    assert finding.details["singled_out"] == 0


RAW = Exposure.of_itself(ratings_of([(5, 1, None), (5, 2, None), (None, 2, 4)]))


def test_two_who_rated_the_same_items_share_the_guess_and_a_rating_tells_them_apart():
    by_items = Structure(items=2).run(RAW, Randomness(1))
    assert (by_items.main, by_items.details["fewest_candidates"]) == (pytest.approx((1 / 2 + 1 / 2 + 1) / 3), 1)
    by_ratings = Label(items=2).run(RAW, Randomness(1))
    assert (by_ratings.main, by_ratings.details["singled_out"]) == (1, 1)
    nearly = Label(items=2, tolerance=Fraction(1)).run(RAW, Randomness(1))
    assert nearly.main == pytest.approx(by_items.main)


def test_a_tolerance_reaches_just_so_far_on_a_finer_scale():
    truth = ratings_of([(3,), (5,)])
    exposure = Exposure(truth, ratings_of([(Fraction(7, 2),), (Fraction(5),)], FINE), np.arange(2))
    found = [Label(1, tolerance=Fraction(t)).run(exposure, Randomness(1)).main for t in ("0", "0.49", "0.5", "2")]
    assert found == pytest.approx([(1 / 2 + 1) / 2, (1 / 2 + 1) / 2, 1, 1 / 2])


def test_whoever_fits_and_is_not_the_target_misleads():
    truth = ratings_of([(1, None), (None, 1)])
    swapped = Exposure(truth, truth, np.array([1, 0]))
    finding = Structure(items=1).run(swapped, Randomness(1))
    assert (finding.main, finding.control, finding.baseline) == (0, 1, 1 / 2)


def test_items_outside_the_most_rated_give_more_away():
    rows = [[3] + [4 if item == person else None for item in range(6)] for person in range(6)]
    exposure = Exposure.of_itself(ratings_of(rows))
    assert Structure(items=1, outside_top=1).run(exposure, Randomness(1)).main == 1
    assert Structure(items=1).run(exposure, Randomness(1)).main < 1


def test_people_without_enough_ratings_do_not_use_up_the_targets_that_are_drawn():
    rows = [(None, None)] * 50 + [(1, 2)]
    exposure = Exposure.of_itself(ratings_of(rows))
    assert Structure(items=2, targets=1).run(exposure, Randomness(1)).main == 1


@pytest.mark.parametrize("name", ["structure", "label"])
def test_odd_settings_are_refused(name):
    for odd in ("items=0", "items=-1", "outside_top=-1", "targets=0"):
        with pytest.raises(WordingError, match=name):
            attacks.read(f"{name}:{odd}")


def test_a_negative_tolerance_is_refused_and_a_double_means_its_decimal():
    with pytest.raises(WordingError, match="negative"):
        attacks.read("label:tolerance=-1")
    assert Label(tolerance=0.1) == attacks.read("label:tolerance=0.1")  # type: ignore[arg-type]
    assert Label(1, tolerance=Fraction(10**90)).run(RAW, Randomness(1)).main > 0


@pytest.mark.parametrize(
    "attack", [Structure(items=3), Label(items=2, outside_top=2), Structure(items=1, outside_top=9)]
)
def test_where_nobody_has_so_many_ratings_it_is_said(attack):
    reason = attack.misfit(RAW)
    assert reason == f"Nobody who is published rated {attack._items}."
    with pytest.raises(WordingError, match=r"cannot be run\. Nobody"):
        attack.run(RAW, Randomness(1))


def test_a_sentence_says_what_is_known():
    assert (
        Structure(items=1).meaning
        == "Knows 1 item that a person rated, but not the ratings, and looks for the person's record."
    )
    assert "4 items outside the 500 most rated" in Label(outside_top=500).meaning
    assert "with the exact ratings" in Label().meaning
    assert "each rating within 0.5" in Label(tolerance=Fraction(1, 2)).meaning


def test_usual_are_all_targets_or_many_and_ratings_exactly_and_within_a_step(monkeypatch):
    fine = Exposure.of_itself(ratings_of([(1,)] * 3, FINE))
    assert Structure.usual(fine) == (Structure(),)
    assert Label.usual(fine) == (Label(), Label(tolerance=Fraction(1, 2)))
    monkeypatch.setattr(matching, "_USUAL_TARGETS", 2)
    assert Structure.usual(fine) == (Structure(targets=2),)
    assert Label.usual(fine) == (Label(targets=2), Label(targets=2, tolerance=Fraction(1, 2)))


def test_on_a_table_the_usual_attack_is_named_and_does_not_fit():
    exposure = Exposure.of_itself(load("thesis-2.1"))
    assert Label.usual(exposure) == (Label(),)
    assert Label().misfit(exposure) == "It is an attack on rating data, and this is a table."


@pytest.mark.shared
def test_on_raw_movielens_four_ratings_single_most_people_out(shared_data):
    source = read(shared_data / "ratings/ml-100k/u.data", RatingsSchema(layout="movielens", scale=(1, 5)))
    exposure = Exposure.of_itself(source.records)
    by_items = Structure(items=4).run(exposure, Randomness(1))
    by_ratings = Label(items=4).run(exposure, Randomness(1))
    assert 0.15 < by_items.main < 0.3
    assert 0.9 < by_ratings.main < 0.97
    assert by_ratings.control < 0.01
