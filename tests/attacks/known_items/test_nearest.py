"""The attack nearest, against an attacker who goes through everybody with fractions."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from attack_releases import FINE, ratings_of, releases
from shoal.attacks import Exposure, Nearest, attacks
from shoal.errors import WordingError
from shoal.randomness import Randomness

EXACTLY = Fraction(0)


def mean_apart(pairs, step):
    """The mean squared difference of pairs of ratings, rounded to 4096ths of a squared step."""
    apart = [(one - other) ** 2 for one, other in pairs]
    if not apart:
        return Fraction(0)
    return math.floor(4096 * sum(apart) / len(apart) / step**2 + Fraction(1, 2)) * step**2 / 4096


def nearest_rows(exposure, known, whole):
    seen, people = oracles.profiles(exposure.seen), exposure.people.tolist()
    step, width = exposure.seen.scale.step, len(seen[0])
    said = [
        [row[item] for row, many in zip(seen, people, strict=True) if row[item] is not None for _ in range(many)]
        for item in range(width)
    ]
    distances = []
    for row in seen:
        total = Fraction(0)
        for item, there in enumerate(row):
            if item in known and there is not None:
                total += (there - known[item]) ** 2
            elif item in known:
                total += mean_apart([(known[item], other) for other in said[item]], step)
            elif whole and there is not None:
                total += mean_apart([(one, other) for one in said[item] for other in said[item]], step)
        distances.append(total)
    return [row for row, distance in enumerate(distances) if distance == min(distances)]


def check_by_hand(exposure, attack, targets):
    rows, people = oracles.profiles(exposure.truth), exposure.people
    if not targets:
        assert attack.misfit(exposure) is not None
        return
    finding = attack.run(exposure, Randomness(2))
    chances, sizes, right = [], [], []
    for target in targets:
        known = {item: rating for item, rating in enumerate(rows[target]) if rating is not None}
        nearest = nearest_rows(exposure, known, attack.items == "all")
        sizes.append(sum(int(people[row]) for row in nearest))
        right.append(exposure.place[target] in nearest)
        chances.append(right[-1] / sizes[-1])
    assert finding.targets == len(targets)
    assert finding.main == pytest.approx(sum(chances) / len(targets))
    assert finding.largest == pytest.approx(max(chances))
    assert finding.baseline == 1 / int(people.sum())
    assert finding.details["among_nearest"] == pytest.approx(sum(right) / len(right))
    assert finding.details["average_nearest"] == pytest.approx(sum(sizes) / len(sizes))
    alone = [own and size == 1 for own, size in zip(right, sizes, strict=True)]
    assert finding.details["singled_out"] == pytest.approx(sum(alone) / len(alone))


@given(releases())
def test_who_knows_everything_is_right_as_often_as_by_hand(exposure):
    rows = oracles.profiles(exposure.truth)
    targets = [t for t in exposure.published.tolist() if any(rating is not None for rating in rows[t])]
    check_by_hand(exposure, Nearest(error=EXACTLY), targets)


@given(releases(), st.integers(1, 5))
def test_so_is_who_knows_some_ratings(exposure, known):
    rows = oracles.profiles(exposure.truth)
    held = [sum(rating is not None for rating in row) for row in rows]
    # whoever has more is withheld, so that there is nothing to draw
    exposure = replace(exposure, place=np.where(np.array(held) > known, -1, exposure.place))
    targets = [t for t in exposure.published.tolist() if held[t] == known]
    check_by_hand(exposure, Nearest(items=known, error=EXACTLY), targets)


@given(releases(), st.sampled_from(["all", 1, 2]), st.sampled_from(["0", "1", "2"]))
def test_nobody_is_found_more_surely_than_one_of_those_published_alike(exposure, items, error):
    attack = Nearest(items=items, error=Fraction(error))
    if attack.misfit(exposure) is None:
        assert attack.run(exposure, Randomness(1)).largest <= 1 / exposure.group_sizes.min()


def test_what_is_known_is_off_by_no_more_than_said_and_stays_on_the_scale():
    truth = ratings_of([(1, 2, 3, 4, 5)] * 200)
    exposure = Exposure(truth, ratings_of([(1, 2, 3, 4, 5)], FINE, [200]), np.zeros(200, np.int64))
    items, codes = Nearest(error=Fraction(3, 2))._perturbed(exposure, np.arange(1000), np.random.default_rng(1))
    told = {(int(item), int(code)) for item, code in zip(items, codes, strict=True)}
    assert told == {(item, 2 * code) for item in range(5) for code in range(5) if abs(item - code) <= 1}


def test_errors_in_what_is_known_do_not_save_who_differs():
    rows = [(1, 1, 1, 1, 1), (5, 5, 5, 5, 5), (1, 5, 1, 5, 1), (5, 1, 5, 1, 5)]
    finding = Nearest().run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert (finding.main, finding.control, finding.baseline) == (1, 0, 0.25)
    assert finding.details["singled_out"] == 1


def test_who_is_equally_near_is_equally_likely():
    rows = [(1, 1), (1, 1), (3, 3), (5, 5)]
    finding = Nearest(error=EXACTLY).run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert finding.main == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 4)


def test_a_rating_that_was_dropped_does_not_hide_the_record():
    """The own record lost a rating; another has it, and is far off in the rest."""
    truth = ratings_of([(1, 1, 5), (5, 5, 5), (3, 3, 1), (3, 3, 3)])
    seen = ratings_of([(1, 1, None), (5, 5, 5), (3, 3, 1), (3, 3, 3)])
    finding = Nearest(error=EXACTLY).run(Exposure(truth, seen, np.arange(4)), Randomness(1))
    assert finding.main == 1


def test_how_average_a_profile_is_in_what_nobody_asked_for_does_not_count():
    """The own profile is far from the others in items that the target did not rate, and near in those they did."""
    truth = ratings_of([(1, 2, None, None, None, None)] * 2 + [(3, 3, 3, 3, 3, 3)] * 8)
    seen = ratings_of([(1, 2, 5, 5, 5, 5), (3, 3, 3, 3, 3, 3)], people=[2, 8])
    finding = Nearest(error=EXACTLY).run(Exposure(truth, seen, np.repeat([0, 1], [2, 8])), Randomness(1))
    assert finding.main == pytest.approx((2 / 2 + 8 / 8) / 10)


def test_who_knows_everything_knows_what_was_not_rated():
    rows = [(3, None, None), (3, 3, None), (3, None, 2), (3, 1, 4)]
    exposure = Exposure.of_itself(ratings_of(rows))
    assert Nearest(error=EXACTLY).run(exposure, Randomness(1)).main == 1
    assert Nearest(items=1, error=EXACTLY, targets=1).run(exposure, Randomness(1)).main < 1


@pytest.mark.parametrize("wording", ["nearest:items=all,error=1", "nearest:items=8,error=0.5,targets=100"])
def test_its_settings_can_be_written(wording):
    assert str(attacks.read(wording)) == wording


@pytest.mark.parametrize("settings", ["items=0", "items=some", "items=1.5", "error=-1", "targets=0"])
def test_other_settings_are_refused(settings):
    with pytest.raises(WordingError):
        attacks.read(f"nearest:{settings}")


def test_a_refusal_says_that_all_is_a_number_of_items_too():
    with pytest.raises(WordingError, match="a whole number or all"):
        attacks.read("nearest:items=some")


def test_errors_are_one_step_of_the_scale_unless_said():
    (usual,) = Nearest.usual(Exposure.of_itself(ratings_of([(1, 2), (2, 1)], FINE)))
    assert usual == Nearest(error=Fraction(1, 2))


def test_of_very_many_people_some_are_attacked():
    rows = np.random.default_rng(1).integers(1, 6, (10_050, 2)).tolist()
    (usual,) = Nearest.usual(Exposure.of_itself(ratings_of(rows)))
    assert usual == Nearest(targets=10_000)


@given(releases())
def test_usual_settings_are_found_whatever_was_dropped(exposure):
    (usual,) = Nearest.usual(exposure)
    assert usual == Nearest(error=exposure.truth.scale.step)


def test_the_last_item_may_be_one_that_nobody_is_published_with():
    truth, seen = ratings_of([(1, 2, 3), (2, 1, None)]), ratings_of([(1, 2, None), (2, 1, None)])
    assert Nearest.usual(Exposure(truth, seen, np.arange(2))) == (Nearest(),)
