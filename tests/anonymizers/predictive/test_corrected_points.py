"""Points of users whose ratings stand in their padded rows, against those rows themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers import Predictive
from shoal.anonymizers.predictive import points as module
from shoal.anonymizers.predictive.homogenization import Variant
from shoal.anonymizers.predictive.points import corrected_points, padded_points
from shoal.anonymizers.predictive.size_constrained_kmeans import size_constrained_kmeans
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine
from shoal.models import KAnonymity
from shoal.predictors import Factors, predictors
from shoal.randomness import Randomness


def matrix_of(codes: np.ndarray, known: np.ndarray) -> RatingMatrix:
    rows, columns = np.nonzero(known)
    indptr = np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int64)
    items = Vocabulary.numbered(codes.shape[1])
    return RatingMatrix(items, indptr, columns.astype(np.int32), codes[rows, columns].astype(np.uint8))


def distances(rows: np.ndarray) -> np.ndarray:
    rows = rows.astype(np.float64)
    return np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))


def drawn(n: int, m: int, width: int, share: float, seed: int) -> tuple[RatingMatrix, Factors, np.ndarray, np.ndarray]:
    """Return ratings and factors that know nothing of them, the padded rows, and the predictions."""
    chance = np.random.default_rng(seed)
    users = chance.normal(1, 1, (n, width)).astype(np.float32)
    items = chance.normal(size=(m, width)).astype(np.float32)
    known, codes = chance.random((n, m)) < share, chance.integers(0, 5, (n, m))
    predicted = users.astype(np.float64) @ items.T.astype(np.float64)
    return matrix_of(codes, known), Factors(users, items, 5), np.where(known, codes, predicted), predicted


@settings(max_examples=40)
@given(
    n=st.integers(1, 9),
    m=st.integers(1, 16),
    width=st.integers(1, 4),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**32),
)
def test_where_items_are_few_points_are_as_far_apart_as_padded_rows(
    n: int, m: int, width: int, share: float, seed: int
) -> None:
    matrix, factors, padded, _ = drawn(n, m, width, share, seed)
    points = corrected_points(matrix, factors, np.random.default_rng(seed))
    assert points.dtype == np.float32
    assert points.flags.c_contiguous
    assert distances(points) == pytest.approx(distances(padded), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.9])
def test_points_are_never_farther_apart_than_padded_rows_and_tell_more_than_the_span_of_factors(share: float) -> None:
    matrix, factors, padded, predicted = drawn(60, 80, 3, share, 4)
    points = distances(corrected_points(matrix, factors, np.random.default_rng(1)))
    assert (points <= distances(padded) + 1e-4).all()
    in_span = distances(padded @ np.linalg.qr(factors.items.astype(np.float64))[0])
    assert (points >= in_span - 1e-4).all()
    if share == 0:
        assert points == pytest.approx(distances(predicted), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("sample", [10_000, 200])
def test_the_further_directions_are_those_in_which_residuals_differ_most(
    monkeypatch: pytest.MonkeyPatch, sample: int
) -> None:
    """Against a decomposition of the whole matrix of residuals, with sixteen tastes the factors know nothing of.

    What items have in common for all users does not tell them apart, and takes no direction away.
    """
    monkeypatch.setattr(module, "_SAMPLE", sample)
    chance = np.random.default_rng(9)
    published = chance.normal(size=(300, 16)) @ chance.normal(size=(16, 60)) * 3 + chance.integers(20, 80, 60)
    codes = np.clip(np.rint(published), 0, 99).astype(int)
    users, items = (chance.normal(size=(n, 2)).astype(np.float32) for n in codes.shape)
    span = np.linalg.qr(items.astype(np.float64))[0]
    points = corrected_points(matrix_of(codes, codes >= 0), Factors(users, items, 100), np.random.default_rng(1))
    rest = codes - codes.mean(axis=0)
    in_span = rest @ span
    best = (np.linalg.svd(rest - in_span @ span.T, compute_uv=False)[:16] ** 2).sum()
    held = float((points.astype(np.float64) ** 2).sum() - (in_span**2).sum())
    assert 0.99 * best < held < 1.0001 * best


@pytest.mark.parametrize("variant", ["predicted", "padded", "simple"])
def test_ratings_move_people_to_other_groups_only_where_they_are_averaged_with_predictions(variant: Variant) -> None:
    matrix, _, *_ = drawn(60, 40, 2, 0.4, 3)
    data = Ratings(Vocabulary.numbered(60), matrix, RatingMatrix.empty(60, np.uint8), Scale.of(1, 5))
    randomness = Randomness(1)
    # one rater is enough, so that all of the factors are those that were fitted
    recoding = Predictive(variant=variant, min_item_raters=1).recode(data, [KAnonymity(4)], LocalEngine(), randomness)
    factors = predictors.read("als:factors=4").fit(matrix, data.scale, randomness)
    by_factors = padded_points(factors.users, factors.items)
    corrected = corrected_points(matrix, factors, randomness.generator("predictive residuals"))
    groups = [
        size_constrained_kmeans(points, 4, randomness.generator("predictive")) for points in (by_factors, corrected)
    ]
    assert recoding.stands_for is not None
    same = [np.array_equal(recoding.stands_for, labels) for labels in groups]
    assert same == [variant != "padded", variant == "padded"]


def squares(rows: np.ndarray, labels: np.ndarray) -> float:
    return sum(float(((own := rows[labels == g]) - own.mean(axis=0)).var(axis=0).sum() * len(own)) for g in set(labels))


@pytest.mark.parametrize(("tastes", "most"), [(12, 0.92), (2, 1.01)])
def test_groups_are_tighter_where_residuals_matter_and_no_looser_where_they_do_not(tastes: int, most: float) -> None:
    """A predictor with four factors leaves eight of twelve tastes to the residuals, and of two tastes only noise."""
    chance = np.random.default_rng(5)
    published = 2 + 0.45 * chance.normal(size=(400, tastes)) @ chance.normal(size=(tastes, 60)) * np.sqrt(12 / tastes)
    codes = np.clip(np.rint(published + chance.normal(0, 0.5, published.shape)), 0, 4).astype(int)
    known = chance.random(codes.shape) < 0.7
    matrix = matrix_of(codes, known)
    factors = predictors.read("als:factors=4").fit(matrix, Scale.of(1, 5), Randomness(1))
    padded = np.where(known, codes, factors.users.astype(np.float64) @ factors.items.T.astype(np.float64))
    by_factors, corrected = (
        np.mean([squares(padded, size_constrained_kmeans(points, 5, np.random.default_rng(seed))) for seed in range(3)])
        for points in (
            padded_points(factors.users, factors.items),
            corrected_points(matrix, factors, np.random.default_rng(2)),
        )
    )
    assert corrected < most * by_factors


def test_the_same_generator_gives_the_same_points() -> None:
    matrix, factors, *_ = drawn(50, 70, 3, 0.3, 2)
    once, again = (corrected_points(matrix, factors, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(once, again)
