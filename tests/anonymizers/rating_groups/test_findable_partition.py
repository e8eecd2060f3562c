"""A partition that was made must be found again; a few records are changed for it."""

from fractions import Fraction

import numpy as np
import pytest

import oracles
from shoal import road
from shoal.anonymizers import Align, Graph
from shoal.anonymizers.rating_groups.aligned_groups import findable_partition
from shoal.data import Ratings
from shoal.engines import LocalEngine
from shoal.models import KAnonymity, KEpsilon, PrivacyModel
from surveys import survey

PAIRS = KEpsilon(2, Fraction(1), semantics="partition")


def found(rows: list[list[int | None]], model: PrivacyModel) -> list[list[int | None]]:
    made = findable_partition(survey(rows, 5), [model], LocalEngine())
    return [[None if rating is None else int(rating) for rating in row] for row in oracles.profiles(made)]


def test_who_is_left_over_becomes_equal_to_the_nearest_who_is_not():
    assert found([[1], [1], [5], [5], [3], [4]], PAIRS) == [[1], [1], [5], [5], [3], [4]]
    assert found([[1, 1], [1, 1], [5, 5], [5, 5], [4, 3]], PAIRS) == [[1, 1], [1, 1], [5, 5], [5, 5], [5, 5]]


def test_the_nearest_is_of_the_same_pattern_if_anybody_is():
    rows: list[list[int | None]] = [[1, None], [1, None], [3, 3], [3, 3], [5, None], [None, 3]]
    assert found(rows, PAIRS) == [*rows[:4], [1, None], [3, 3]]


def test_those_stay_as_they_are_who_cost_most_and_may_be_spared():
    rows: list[list[int | None]] = [[1, 1], [1, 1], [5, 1], [1, 4]]
    made = findable_partition(survey(rows, 5), [PAIRS], LocalEngine(), max_withheld=1)
    assert oracles.profiles(made) == [(1, 1), (1, 1), (5, 1), (1, 1)]
    assert oracles.profiles(findable_partition(survey(rows, 5), [PAIRS], LocalEngine(), max_withheld=2)) == list(
        map(tuple, rows)
    )


def test_where_everybody_is_left_over_nothing_is_changed():
    assert found([[1], [5]], PAIRS) == [[1], [5]]


def test_promises_that_ask_for_no_partition_change_nothing():
    for model in (KAnonymity(2), KEpsilon(2, Fraction(1))):
        assert found([[1], [1], [5]], model) == [[1], [1], [5]]


@pytest.mark.parametrize("method", [Align(), Graph(), Graph(strategy="centroid")], ids=str)
@pytest.mark.parametrize("k", [5, 20])
def test_partitions_of_a_crowded_survey_are_found_and_are_partitions(method, k):
    """Boxes of 400 records on five issues overlap so much that the search at first leaves some over."""
    drawn = np.random.default_rng(5).integers(1, 6, (400, 5))
    model = KEpsilon(k, Fraction(1), semantics="partition")
    release, _ = road.publish(survey(drawn.tolist(), 5), [model], method)
    assert isinstance(release.records, Ratings)
    rows = oracles.profiles(release.records)
    groups = LocalEngine().partition(release.records, model.need).best.labels  # type: ignore[arg-type]
    for group in set(groups.tolist()):
        members = [rows[row] for row in np.flatnonzero(groups == group)]
        assert len(members) >= k
        assert all(oracles.proximate(one, other, 1, 5) for one in members for other in members)
