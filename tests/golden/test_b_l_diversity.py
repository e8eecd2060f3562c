"""(b,l)-diversity on a release where the two readings of Definition 5.3 differ."""

import numpy as np
import polars as pl
import pytest

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.models import BLDiversity

RELEASED = ["abc", "ab", "bc"]
ORIGINAL = {"abc": ["ab", "bc"], "ab": ["a", "b"], "bc": ["bc", "c"]}


def homogenised() -> Ratings:
    """Two records a group, each with the items of the group, all rated 3."""
    rows = [[2 if item in group else -1 for item in "abc"] for group in RELEASED for _ in ORIGINAL[group]]
    matrix = RatingMatrix.from_dense(Vocabulary(pl.Series(list("abc"))), np.array(rows, np.int32))
    return Ratings(Vocabulary.numbered(len(rows)), matrix, RatingMatrix.empty(len(rows)), Scale.of(1, 5))


def groups_with(items: str) -> int:
    return sum(set(items) <= set(group) for group in RELEASED)


@pytest.mark.parametrize(
    ("b", "l", "holds", "reached", "violations"),
    [(1, 2, True, 2, 0), (1, 3, False, 2, 6), (2, 2, False, 1, 2), (3, 2, False, 1, 2)],
)
def test_a_and_c_are_together_in_one_released_profile_only(b, l, holds, reached, violations):  # noqa: E741
    verdict = judge(homogenised(), [BLDiversity(b, l)], LocalEngine()).verdicts[0]
    assert (verdict.holds, dict(verdict.level), verdict.violations) == (holds, {"l": reached}, violations)


def test_every_pair_that_a_person_rated_is_in_two_groups():
    """By the original reading (2,2) holds; it cannot be told from the release, and is not what is checked."""
    pairs = {rated for people in ORIGINAL.values() for rated in people if len(rated) == 2}
    assert {pair: groups_with(pair) for pair in pairs} == {"ab": 2, "bc": 2}
    assert groups_with("ac") == 1
