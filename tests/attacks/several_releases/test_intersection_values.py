"""``intersection-values``: a value must be possible in every release."""

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import inference_oracle as oracle
from overlapping_releases import in_groups, several_releases
from shoal.attacks import Exposure, IntersectionValues
from shoal.data import Column, Microdata, Role
from shoal.datasets.papers.paper_ratings import ratings_of
from shoal.errors import WordingError
from shoal.randomness import Randomness

CHANCE = Randomness(1)
Groups = list[list[int | None]]


@given(several_releases("table", max_sensitive=2) | several_releases("ratings", max_sensitive=2))
def test_the_guess_is_the_commonest_value_of_the_bags_in_common(drawn: tuple[Exposure, Groups]) -> None:
    exposure, groups = drawn
    people = range(len(exposure.truth))
    guesses, blind, left, alone = [], [], [], []
    for name in sorted(oracle.names(exposure)):
        true = oracle.values(exposure.truth, name)  # type: ignore[arg-type]
        everybody = [true[o] for o in people if groups[0][o] is not None and true[o] is not oracle.NOT_RATED]
        for target in people:
            if any(each[target] is None for each in groups) or true[target] is oracle.NOT_RATED:
                continue
            bags = [
                Counter(true[o] for o in people if each[o] == each[target] and true[o] is not oracle.NOT_RATED)
                for each in groups
            ]
            common = bags[0]
            for bag in bags[1:]:
                common = common & bag
            guesses.append(oracle.guess(true[target], list(common.elements())))
            blind.append(oracle.guess(true[target], everybody))
            alone.append([oracle.guess(true[target], list(bag.elements())) for bag in bags])
            left.append((len(common), min(len(bag) for bag in bags)))
    if not guesses:
        assert IntersectionValues().misfit(exposure) is not None
        return
    found = IntersectionValues().run(exposure, CHANCE)
    assert found.targets == len(guesses)
    assert found.main == pytest.approx(np.mean(guesses))
    assert found.baseline == pytest.approx(np.mean(blind))
    assert found.details["best_single_release"] == pytest.approx(max(np.mean(alone, axis=0)))
    assert found.details["average_values_left"] == pytest.approx(np.mean([here for here, _ in left]))
    assert found.details["certain"] == pytest.approx(np.mean([here == 1 for here, _ in left]))
    assert found.details["certain_from_a_single_release"] == pytest.approx(np.mean([one == 1 for _, one in left]))


def test_one_value_in_common_is_certain() -> None:
    # AIDS and flu in one hospital, AIDS and gout in the other: the story of Ganta, Kasiviswanathan and Smith
    truth = people(["AIDS", "flu", "gout"])
    found = joined(in_groups(truth, [0, 0, None]), in_groups(truth, [0, None, 0]))
    assert found.targets == 1
    assert (found.main, found.details["certain"], found.details["certain_from_a_single_release"]) == (1.0, 1.0, 0.0)
    assert found.details["best_single_release"] == 0.5


def test_values_that_are_new_in_each_release_are_not_taken_for_each_other() -> None:
    truth = people(["flu", "flu", "gout", "gout"])
    here = told_otherwise(in_groups(truth, [0, 0, 0, 0]), ["gout", "cough", "cough", "flu"])
    there = told_otherwise(in_groups(truth, [0, 0, 0, 0]), ["gout", "measles", "mumps", "flu"])
    found = joined(here, there)
    # one flu and one gout are in both
    assert found.main == 0.5
    assert found.details["average_values_left"] == 2.0


def test_releases_that_share_no_value_leave_a_guess_as_without_them() -> None:
    truth = people(["flu", "flu", "gout"])
    here, there = in_groups(truth, [0, 0, 0]), in_groups(truth, [0, 0, 0])
    found = joined(here, told_otherwise(there, ["mumps", "mumps", "mumps"]))
    assert found.main == found.baseline == pytest.approx(2 / 3)
    assert found.details["average_values_left"] == 0.0


def test_the_control_goes_by_the_groups_of_somebody_else() -> None:
    truth = people(["flu", "gout"])
    found = joined(in_groups(truth, [0, 1]), in_groups(truth, [0, 1]))
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_it_says_what_is_missing() -> None:
    truth = people(["flu", "gout"])
    alone = in_groups(truth, [0, 0])
    assert IntersectionValues().misfit(alone) == "It needs another release about the same people."
    apart = replace(in_groups(truth, [0, None]), also=(in_groups(truth, [None, 0]),))
    assert IntersectionValues().misfit(apart) == "Nobody who is in all of the releases has a sensitive value."
    plain = ratings_of([(1,), (2,)], 5, 0)
    open_ratings = replace(in_groups(plain, [0, 0]), also=(in_groups(plain, [0, 0]),))
    with pytest.raises(WordingError, match="No sensitive attribute is published in all"):
        IntersectionValues().run(open_ratings, CHANCE)


def joined(*releases: Exposure):
    return IntersectionValues().run(replace(releases[0], also=releases[1:]), CHANCE)


def told_otherwise(release: Exposure, illnesses: list[str]) -> Exposure:
    column = Column.encode("illness", Role.SENSITIVE, pl.Series(illnesses))
    return replace(release, seen=release.tables[1].replaced((column,)))


def people(illnesses: list[str]) -> Microdata:
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(range(len(illnesses))))
    return Microdata((town, Column.encode("illness", Role.SENSITIVE, pl.Series(illnesses))))
