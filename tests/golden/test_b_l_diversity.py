"""(b,l)-diversity on a release where the two readings of Definition 5.3 differ."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.models import BLDiversity

RELEASED = ["abc", "ab", "bc"]
ORIGINAL = {"abc": ["ab", "bc"], "ab": ["a", "b"], "bc": ["bc", "c"]}


def homogenized() -> Ratings:
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
    verdict = judge(homogenized(), [BLDiversity(b, l)], LocalEngine()).verdicts[0]
    assert (verdict.holds, dict(verdict.level), verdict.violations) == (holds, {"l": reached}, violations)


def test_every_pair_that_a_person_rated_is_in_two_groups():
    """By the original reading (2,2) holds; it cannot be told from the release, and is not what is checked."""
    pairs = {rated for people in ORIGINAL.values() for rated in people if len(rated) == 2}
    assert {pair: groups_with(pair) for pair in pairs} == {"ab": 2, "bc": 2}
    assert groups_with("ac") == 1


@pytest.mark.shared
def test_movielens_by_products_of_matrices_of_zeros_and_ones(shared_data: Path):
    """All 943 profiles differ. 58 users rated a film that nobody else did, 606 a pair that nobody else did."""
    file = shared_data / "ratings/ml-100k/u.data"
    users, films = np.loadtxt(file, dtype=int, usecols=(0, 1)).T
    rated = np.zeros((users.max() + 1, films.max() + 1), np.float32)
    rated[users, films] = 1
    together = rated.T @ rated
    mine = [np.flatnonzero(row) for row in rated if row.any()]
    alone = sum(together[some, some].min() < 2 for some in mine)
    in_pairs = sum(together[np.ix_(some, some)].min() < 2 for some in mine)
    published = shoal.check(file, ["b-l-diversity:b=1,l=2", "b-l-diversity:b=2,l=2"])
    assert [verdict.violations for verdict in published.verdicts] == [alone, in_pairs] == [58, 606]
