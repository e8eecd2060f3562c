"""``homogeneity``: what those who look alike have in common is no secret."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import inference_oracle as oracle
from released import released
from shoal.attacks import Exposure, Homogeneity
from shoal.datasets.papers.paper_ratings import ratings_of
from shoal.datasets.papers.thesis_tables import thesis_2_2, thesis_3_2
from shoal.errors import WordingError
from shoal.models import promises
from shoal.randomness import Randomness

CHANCE = Randomness(1)


@given(released("table") | released("ratings"), st.sampled_from([None, Fraction(0), Fraction(1), Fraction(7, 2)]))
def test_the_guess_is_what_most_of_those_who_look_alike_have(exposure: Exposure, within: Fraction | None) -> None:
    for name in oracle.names(exposure):
        attack = Homogeneity(name, within if exposure.truth.kind == "ratings" else None)
        people = oracle.concluded(exposure, name, within or Fraction(0))
        if not people:
            assert attack.misfit(exposure) == "Nobody has a sensitive value that is published."
            continue
        found = attack.run(exposure, CHANCE)
        guesses = [oracle.guess(value, alike or everybody) for value, alike, everybody in people]
        assert found.targets == len(people)
        assert found.main == pytest.approx(sum(guesses) / len(guesses))
        assert found.largest == pytest.approx(max(guesses))
        assert found.baseline == pytest.approx(np.mean([oracle.guess(value, every) for value, _, every in people]))
        with_values = [alike for _, alike, _ in people if alike]
        assert found.details["people_in_groups_with_one_value"] == sum(len(set(alike)) == 1 for alike in with_values)
        posteriors = [max(oracle.share(value, alike) for value in alike) for alike in with_values]
        assert found.details["largest_posterior"] == pytest.approx(max(posteriors, default=0))


@settings(max_examples=50)
@given(released("table", max_sensitive=3) | released("ratings", max_sensitive=3))
def test_unless_one_is_named_the_worst_is_told(exposure: Exposure) -> None:
    named = [Homogeneity(name) for name in oracle.names(exposure)]
    found = [each.run(exposure, CHANCE) for each in named if each.misfit(exposure) is None]
    assume(found)
    worst = Homogeneity().run(exposure, CHANCE)
    gains = [each.main - each.baseline for each in found]
    assert worst.main - worst.baseline == pytest.approx(max(gains))
    if len(found) > 1 and len(found) == len(named):
        number = int(worst.details["number_of_the_worst"])
        assert found[number - 1].main == worst.main


def test_all_the_men_of_table_2_2_have_cancer() -> None:
    found = Homogeneity().run(Exposure.of_itself(thesis_2_2()), CHANCE)
    # three men for certain, and one in three of the women; without looking, cancer is the best guess
    assert found.main == pytest.approx((3 + 3 * (1 / 3)) / 6)
    assert found.baseline == pytest.approx(3 / 6)
    assert dict(found.details) == {
        "largest_posterior": 1.0,
        "groups": 2,
        "groups_with_one_value": 1,
        "people_in_groups_with_one_value": 3,
    }


def test_the_control_looks_at_somebody_else() -> None:
    two = ratings_of([(1, 3), (2, 5)], 5)
    found = Homogeneity().run(Exposure.of_itself(two), CHANCE)
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_who_is_withheld_is_no_target() -> None:
    table = thesis_3_2()
    rows = np.arange(4, 12)
    place = np.concatenate([np.full(4, -1), np.arange(8)])
    found = Homogeneity().run(Exposure(table, table.take(rows), place), CHANCE)
    assert found.targets == 8
    assert found.baseline == pytest.approx(3 / 8)
    assert found.main == pytest.approx((4 * (1 / 4) + 3) / 8)


def test_candidates_are_all_within_what_is_promised() -> None:
    people = ratings_of([(1, 1), (2, 5), (3, 5), (5, 2)], 5)
    apart = Homogeneity().run(Exposure.of_itself(people), CHANCE)
    assert apart.main == 1.0
    promised = Exposure.of_itself(people, promises=(promises.read("k-epsilon:k=2,epsilon=1"),))
    # 1 sees {1, 5}; 2 sees {1, 5, 5}; 3 sees {5, 5}; 5 sees itself
    assert Homogeneity().run(promised, CHANCE).main == pytest.approx((0.5 + 1 + 1 + 1) / 4)
    assert Homogeneity(within=Fraction(0)).run(promised, CHANCE).main == 1.0
    assert Homogeneity(within=Fraction(9)).run(promised, CHANCE).main == apart.baseline == 0.5


def test_a_rating_is_as_far_from_none_as_the_scale_is_long() -> None:
    people = Exposure.of_itself(ratings_of([(1, 1), (None, 5), (None, 5)], 5))
    assert Homogeneity(within=Fraction(4)).run(people, CHANCE).main == 1.0
    assert Homogeneity(within=Fraction(5)).run(people, CHANCE).main == pytest.approx(2 / 3)


def test_who_finds_nobody_with_a_rating_guesses() -> None:
    truth = ratings_of([(1, 4), (2, 5), (3, 5)], 5)
    seen = ratings_of([(1, None), (2, 5), (3, 5)], 5)
    found = Homogeneity().run(Exposure(truth, seen, np.arange(3)), CHANCE)
    assert found.main == found.baseline == pytest.approx(2 / 3)
    assert found.details["groups"] == 2


def test_it_says_why_it_cannot_be_run() -> None:
    table = Exposure.of_itself(thesis_2_2())
    assert (
        Homogeneity(within=Fraction(1)).misfit(table) == "Only ratings have distances: within does not apply to tables."
    )
    assert Homogeneity("Gender").misfit(table) == "No sensitive attribute named 'Gender' is published."
    assert (
        Homogeneity().misfit(Exposure.of_itself(ratings_of([(1, 2)], 5, 0))) == "No sensitive attribute is published."
    )
    unrated = Exposure.of_itself(ratings_of([(1, None)], 5))
    assert Homogeneity().misfit(unrated) == "Nobody has a sensitive value that is published."
    with pytest.raises(WordingError):
        Homogeneity(within=Fraction(-1))


def test_every_sensitive_attribute_is_usually_attacked() -> None:
    assert Homogeneity.usual(Exposure.of_itself(thesis_2_2())) == (Homogeneity(),)
    three = Exposure.of_itself(ratings_of([(1, 2, 3, 4)], 5, 3))
    assert [each.of for each in Homogeneity.usual(three)] == ["issue 2", "issue 3", "issue 4"]  # type: ignore[attr-defined]
    many = Exposure.of_itself(ratings_of([(1,) * 8], 5, 7))
    assert Homogeneity.usual(many) == (Homogeneity(),)
