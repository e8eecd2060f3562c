"""Generated ratings: exact sizes, the same for the same seed, and shaped as real ones are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Ratings, Scale
from shoal.datasets import generate_ratings
from shoal.datasets.generators import rating_model
from shoal.datasets.generators.rating_model import RatingModel
from shoal.errors import WordingError


@st.composite
def sizes(draw):
    users, items = draw(st.integers(1, 30)), draw(st.integers(1, 30))
    return users, items, draw(st.integers(users, users * items)), draw(st.integers(0, 2**63))


@settings(max_examples=200)
@given(sizes(), st.floats(0, 5), st.floats(0, 5))
def test_the_sizes_asked_for_are_met_exactly(asked, activity, popularity):
    users, items, ratings, seed = asked
    found = generate_ratings(users, items, ratings, seed, activity=activity, popularity=popularity)
    matrix = found.observable
    assert (len(found), len(matrix.items), found.n_ratings) == (users, items, ratings)
    for row in range(users):
        mine = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]].tolist()
        assert mine == sorted(set(mine)), "a user rates no item twice, and items ascend"
        assert mine, "every user rates"
        assert 0 <= mine[0] <= mine[-1] < items
    if ratings >= items:
        assert len(set(matrix.indices.tolist())) == items, "every item is rated"
    assert matrix.codes.max() <= 4


@given(sizes(), st.integers(1, 200))
def test_blocks_of_any_size_give_the_same_ratings(asked, size):
    model = RatingModel.draw(*asked)
    whole, blocks = model.block(0, model.users), list(model.blocks(size))
    assert np.array_equal(whole.items, np.concatenate([block.items for block in blocks]))
    assert np.array_equal(whole.codes, np.concatenate([block.codes for block in blocks]))
    assert [block.first_user for block in blocks] == sorted({block.first_user for block in blocks})
    assert all(len(block.items) <= size or len(block.indptr) == 2 for block in blocks)


def content(ratings: Ratings) -> tuple[bytes, ...]:
    matrix = ratings.observable
    return tuple(array.tobytes() for array in (matrix.indptr, matrix.indices, matrix.codes))


def test_the_same_seed_gives_the_same_ratings_and_another_seed_others():
    assert content(generate_ratings(200, 100, 3_000, 7)) == content(generate_ratings(200, 100, 3_000, 7))
    assert content(generate_ratings(200, 100, 3_000, 7)) != content(generate_ratings(200, 100, 3_000, 8))


@pytest.fixture(scope="module")
def large() -> Ratings:
    return generate_ratings(20_000, 4_000, 2_000_000, 1)


def gini(counts: np.ndarray) -> float:
    ordered, n = np.sort(counts).astype(float), len(counts)
    return float((2 * np.arange(1, n + 1) - n - 1) @ ordered / (n * ordered.sum()))


def test_activity_and_popularity_have_heavy_tails(large):
    activity = np.diff(large.observable.indptr)
    popularity = np.bincount(large.observable.indices, minlength=4_000)
    assert 0.55 < gini(activity) < 0.7  # the Netflix Prize data: 0.6
    assert 1.7 < activity.mean() / np.median(activity) < 2.7
    assert 0.7 < gini(popularity) < 0.9
    assert 0.55 < np.sort(popularity)[-400:].sum() / popularity.sum() < 0.85
    assert popularity.max() < 0.75 * len(large)


def test_ratings_are_spread_over_the_scale_as_people_spread_them(large):
    stars = large.observable.codes.astype(float) + 1
    assert 3.5 < stars.mean() < 3.7
    assert 0.95 < stars.std() < 1.15
    assert np.argmax(np.bincount(large.observable.codes)) == 3  # four stars are given most
    assert np.bincount(large.observable.codes).min() > 0.01 * len(stars)


def leading_share(ratings: Ratings, items: int = 60, factors: int = 8) -> float:
    """Return the share of the leading factors in the correlation of the most rated items, biases taken out."""
    matrix = ratings.observable
    popular = np.argsort(-np.bincount(matrix.indices))[:items]
    place = np.full(len(matrix.items), -1)
    place[popular] = np.arange(items)
    known = place[matrix.indices] >= 0
    rows = np.repeat(np.arange(len(ratings)), np.diff(matrix.indptr))[known]
    dense = np.full((len(ratings), items), np.nan)
    dense[rows, place[matrix.indices[known]]] = matrix.codes[known]
    dense = dense[np.isfinite(dense).sum(axis=1) >= 20]
    dense -= np.nanmean(dense, axis=0)
    dense -= np.nanmean(dense, axis=1, keepdims=True)
    correlation = np.ma.corrcoef(np.ma.masked_invalid(dense), rowvar=False).filled(0)
    return float(np.sort(np.linalg.eigvalsh(correlation))[-factors:].sum() / items)


def test_taste_is_latent_beyond_the_biases_of_users_and_items(large, monkeypatch):
    monkeypatch.setattr(rating_model, "_TASTE", 0.0)
    without = generate_ratings(20_000, 4_000, 2_000_000, 1)
    assert leading_share(without) < 0.2 < 0.25 < leading_share(large)


def test_any_scale_can_be_asked_for():
    halves = generate_ratings(300, 50, 5_000, 3, Scale.of(0.5, 5, 0.5))
    assert set(np.unique(halves.observable.codes)) == set(range(10))
    thousand = generate_ratings(300, 50, 5_000, 3, Scale.of(0, 999))
    assert thousand.observable.codes.dtype == np.uint16
    assert thousand.observable.codes.max() > 255


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ((0, 5, 5, 1), "users"),
        ((5, 0, 5, 1), "items"),
        ((5, 5, 26, 1), "26 ratings"),
        ((5, 5, 4, 1), "4 ratings"),
        ((5, 5, 5, -1), "seed"),
    ],
)
def test_sizes_that_cannot_be_are_refused(asked, named):
    with pytest.raises(WordingError, match=named):
        generate_ratings(*asked)


@pytest.mark.parametrize("law", [{"activity": -1.0}, {"popularity": float("nan")}, {"popularity": 9.0}])
def test_laws_that_cannot_be_are_refused(law):
    with pytest.raises(WordingError, match=next(iter(law))):
        generate_ratings(5, 5, 5, 1, **law)
