"""Groups by each similarity of the paper: as its formulas say, none too small, and of people who are alike."""

import math
from typing import get_args

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import road
from shoal.anonymizers import Predictive, methods
from shoal.anonymizers.predictive.bins import Bins, Centers
from shoal.anonymizers.predictive.bounded_t_means import bounded_t_means, groups_by_similarity
from shoal.anonymizers.predictive.similarity import PaddedUsers, Similarity
from shoal.data import RatingMatrix, Ratings, Vocabulary
from shoal.errors import GuaranteeError, WordingError
from shoal.kernels.compiled import parallel_from
from shoal.models import KAnonymity
from shoal.predictors import Factors
from surveys import survey
from threads import THREADS

SIMILARITIES = pytest.mark.parametrize("similarity", get_args(Similarity))


def users(n: int, items: int, similarity: Similarity, seed: int = 0, *, own_ratings: bool = True) -> PaddedUsers:
    chance = np.random.default_rng(seed)
    mask, codes = chance.random((n, items)) < 0.3, chance.integers(0, 5, (n, items)).astype(np.uint8)
    indptr = np.concatenate([[0], np.cumsum(mask.sum(axis=1))])
    matrix = RatingMatrix(Vocabulary.numbered(items), indptr, np.nonzero(mask)[1].astype(np.int32), codes[mask])
    left, right = (np.abs(chance.normal(0, 1, (count, 3))).astype(np.float32) for count in (n, items))
    return PaddedUsers(matrix, Factors(left, right, 5), similarity, own_ratings)


def oracle(first: list[float], second: list[float], similarity: Similarity) -> float:
    """As Section 4.2 and 7.3 have it, on a scale of 1 to 5, where 0 are equal users."""
    apart = [abs(x - y) for x, y in zip(first, second, strict=True)]
    n = len(apart)
    if similarity == "printed":
        return 1 - sum((1 - d / 4) ** 2 for d in apart) / n
    if similarity == "squared":
        return sum(d * d for d in apart) / (16 * n)
    if similarity == "weighted":
        return sum(math.floor(2 * d) for d in apart) / (8 * n)
    return sum(d > float(similarity.removeprefix("closeness-")) for d in apart) / n


@SIMILARITIES
@given(seed=st.integers(0, 2**32), items=st.integers(1, 12))
def test_a_similarity_is_what_its_formula_says(similarity: Similarity, seed: int, items: int) -> None:
    people = users(6, items, similarity, seed)
    rows = (np.random.default_rng(seed).integers(0, 17, (6, items)) / 4).astype(np.float32)
    expected = [[oracle(a, b, similarity) for b in rows.tolist()] for a in rows.tolist()]
    assert people.apart(rows, rows) == pytest.approx(np.array(expected), abs=1e-5)


def test_own_ratings_stand_in_the_place_of_predictions() -> None:
    with_ratings, without = users(5, 8, "printed"), users(5, 8, "printed", own_ratings=False)
    everybody = np.arange(5)
    predicted = np.clip(without.factors.users @ without.factors.items.T, 0, 4)
    assert without.rows(everybody) == pytest.approx(predicted, abs=1e-5)
    given_codes = with_ratings.matrix.dense()
    expected = np.where(given_codes >= 0, given_codes, predicted)
    assert with_ratings.rows(everybody) == pytest.approx(expected, abs=1e-5)


@SIMILARITIES
@settings(max_examples=20)
@given(size=st.integers(1, 7), more=st.integers(0, 50), number=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_every_group_has_the_size_and_less_than_twice_that(
    similarity: Similarity, size: int, more: int, number: int, seed: int
) -> None:
    people = users(size + more, 6, similarity, seed)
    centers: Centers = ("virtual", "real", "drawn")[seed % 3]
    labels = groups_by_similarity(people, size, np.random.default_rng(seed), Bins(number, 4, centers))
    counts = np.bincount(labels)
    assert counts.sum() == size + more
    assert counts.min() >= size
    assert counts.max() < 2 * size


def test_fewer_users_than_a_group_needs_are_refused() -> None:
    with pytest.raises(GuaranteeError, match="There are 4 users, and a group needs at least 5"):
        groups_by_similarity(users(4, 3, "printed"), 5, np.random.default_rng(0))


@SIMILARITIES
def test_members_of_a_group_are_more_alike_than_users_in_general(similarity: Similarity) -> None:
    people = users(300, 40, similarity)
    rows = people.rows(np.arange(300))
    labels = groups_by_similarity(people, 5, np.random.default_rng(0), Bins(6))
    apart = people.apart(rows, rows)
    together = (labels[:, None] == labels) & ~np.eye(300, dtype=bool)
    assert apart[together].mean() < 0.9 * apart[~together].mean()


@SIMILARITIES
def test_rounds_never_end_worse_than_with_the_centers_drawn_first(similarity: Similarity) -> None:
    people = users(60, 20, similarity)
    rows = people.rows(np.arange(60))
    totals = []

    def watched(some: np.ndarray, centers: np.ndarray) -> np.ndarray:
        made = people.apart(some, centers)
        totals.append(made)
        return made

    labels = bounded_t_means(rows, watched, 5, np.random.default_rng(1))
    best = [float(made[np.arange(60), labels].sum()) for made in totals]
    assert min(best) < best[0] or len(best) == 2


def test_the_same_seed_gives_the_same_groups_on_any_number_of_threads() -> None:
    people = users(200, 30, "weighted")

    def labeled(seed: int) -> list[int]:
        return groups_by_similarity(people, 4, np.random.default_rng(seed), Bins(5)).tolist()

    numba.set_num_threads(min(THREADS, 2))
    with parallel_from(0):
        side_by_side = labeled(0)
    numba.set_num_threads(1)
    assert labeled(0) == side_by_side
    assert labeled(1) != side_by_side


@SIMILARITIES
@pytest.mark.parametrize("variant", ["predicted", "padded", "simple"])
def test_releases_keep_the_promise_by_any_similarity(similarity: Similarity, variant) -> None:
    chance = np.random.default_rng(3)
    rows = [
        [int(a) if b else None for a, b in zip(*each, strict=True)]
        for each in zip(chance.integers(1, 6, (40, 10)), chance.random((40, 10)) < 0.5, strict=True)
    ]
    method = Predictive(variant=variant, similarity=similarity, centers="real", bins=3, sample=4)
    release, ledger = road.publish(survey(rows, 5), [KAnonymity(4)], method)
    assert isinstance(release.records, Ratings)
    assert release.records.people is not None
    assert release.records.people.min() >= 4
    assert len(ledger.origins) == 40


@pytest.mark.parametrize("wrong", ["predictive:bins=0", "predictive:sample=0"])
def test_bins_and_samples_have_at_least_one(wrong: str) -> None:
    with pytest.raises(WordingError, match="at least one"):
        methods.read(wrong)
