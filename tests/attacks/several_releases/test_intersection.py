"""``intersection``: two releases hide a person only among those who share both groups."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from overlapping_releases import in_groups, several_releases
from shoal.attacks import Exposure, Intersection
from shoal.data import RatingMatrix, Ratings, Records, Scale, Vocabulary
from shoal.datasets.papers.paper_ratings import ratings_of
from shoal.errors import WordingError
from shoal.models import promises
from shoal.randomness import Randomness

CHANCE = Randomness(1)
Groups = list[list[int | None]]


def found_by(releases: list[Exposure]):
    return Intersection().run(replace(releases[0], also=tuple(releases[1:])), CHANCE)


@given(several_releases("table") | several_releases("ratings", max_sensitive=0))
def test_candidates_are_those_who_share_every_group(drawn: tuple[Exposure, Groups]) -> None:
    exposure, groups = drawn
    people = range(len(exposure.truth))
    targets = [person for person in people if groups[0][person] is not None]
    together, among = {}, {}
    for target in targets:
        together[target] = sum(all(each[other] == each[target] for each in groups) for other in people)
        among[target] = sum(all((each[o] is None) == (each[target] is None) for each in groups) for o in people)
    found = Intersection().run(exposure, CHANCE)
    assert found.targets == len(targets)
    assert found.main == pytest.approx(np.mean([1 / together[target] for target in targets]))
    assert found.baseline == pytest.approx(np.mean([1 / among[target] for target in targets]))
    assert found.largest == pytest.approx(1 / min(together.values()))
    assert found.details["fewest_candidates"] == min(together.values())
    assert found.details["average_candidates"] == pytest.approx(np.mean(list(together.values())))
    assert found.details["singled_out"] == pytest.approx(np.mean([n == 1 for n in together.values()]))
    alone = [[sum(one[other] == one[target] for other in people) for target in targets] for one in groups]
    assert found.details["best_single_release"] == pytest.approx(max(np.mean(1 / np.array(each)) for each in alone))
    assert found.details["fewest_candidates_in_a_single_release"] == min(min(each) for each in alone)
    assert "share_below_k" not in found.details


def test_groups_that_cross_leave_one_person_each() -> None:
    found = found_by([in_groups(four(), [0, 0, 1, 1]), in_groups(four(), [0, 1, 0, 1])])
    assert (found.main, found.baseline) == (1.0, 0.25)
    assert found.details["best_single_release"] == 0.5


def test_the_control_is_right_only_where_somebody_else_is_in_the_same_groups() -> None:
    crossed = found_by([in_groups(four(), [0, 0, 1, 1]), in_groups(four(), [0, 1, 0, 1])])
    assert crossed.control == 0.0
    one_group = found_by([in_groups(four(), [0] * 4)] * 2)
    assert one_group.control == one_group.main == one_group.baseline == 0.25


def test_who_is_missing_elsewhere_is_looked_for_among_the_missing() -> None:
    everybody = in_groups(four(), [0, 0, 0, 0])
    some = in_groups(four(), [None, 0, 0, 0])
    found = found_by([everybody, some])
    # the one who is missing is known by that alone; knowing who is in both is not owed to the groups
    assert found.main == found.baseline == pytest.approx((1 + 3 * (1 / 3)) / 4)
    assert found.details["fewest_candidates"] == 1


def test_the_smallest_k_promised_is_held_against_the_intersection() -> None:
    of_two, of_four = (promises.read("k-anonymity:k=2"),), (promises.read("k-anonymity:k=4"),)
    halves, all_alike = in_groups(four(), [0, 0, 1, 1], of_two), in_groups(four(), [0] * 4, of_four)
    found = found_by([halves, all_alike])
    assert (found.details["promised_k"], found.details["share_below_k"]) == (2, 0.0)
    crossing = in_groups(four(), [0, 0, 1, 0])
    found = found_by([halves, all_alike, crossing])
    # groups {0, 1}, {2} and {3} are left
    assert (found.details["promised_k"], found.details["share_below_k"]) == (2, 0.5)
    only_stricter = found_by([all_alike, crossing])
    assert (only_stricter.details["promised_k"], only_stricter.details["share_below_k"]) == (4, 1.0)


def test_a_k_of_neighbors_is_not_one_of_groups() -> None:
    near = (promises.read("k-epsilon:k=2,epsilon=1"),)
    found = found_by([in_groups(four(), [0, 1, 2, 3], near)] * 2)
    assert "promised_k" not in found.details


def test_profiles_of_several_people_count_all_of_them() -> None:
    profiles = Ratings(
        Vocabulary.numbered(2),
        RatingMatrix.from_dense(Vocabulary.numbered(1), np.array([[0], [1]], np.int32)),
        RatingMatrix.empty(2),
        Scale.of(1, 5),
        np.array([3, 1]),
    )
    found = found_by([Exposure.of_itself(profiles)] * 2)
    assert found.main == pytest.approx((1 / 3 + 1) / 2)
    assert found.baseline == pytest.approx(1 / 4)


def test_one_release_is_not_joined_with_anything() -> None:
    with pytest.raises(WordingError, match="another release"):
        Intersection().run(in_groups(four(), [0] * 4), CHANCE)


def four() -> Records:
    return ratings_of([(1,), (2,), (3,), (4,)], 5, 0)
