"""Every number that is fitted to an item rests on enough raters; against least squares by the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers.predictive import supported_factors as module
from shoal.anonymizers.predictive.supported_factors import parameters_per_item, supported_factors
from shoal.data import RatingMatrix, Vocabulary
from shoal.predictors import Factors

POINTS = 5


def drawn(seed: int, n: int = 40, items: int = 12, width: int = 3, fewest: int = 2):
    """Return codes (−1 for null) of items with at least ``fewest`` raters, and factors with constants among them."""
    rng = np.random.default_rng(seed)
    users = np.column_stack([rng.normal(size=(n, width)), np.ones(n)]).astype(np.float32)
    lines = np.column_stack([rng.normal(size=(items, width)), rng.normal(2, 1, items)]).astype(np.float32)
    codes = np.full((n, items), -1, np.int32)
    for item in range(items):
        raters = rng.choice(n, rng.integers(fewest, min(6 * fewest, n) + 1), replace=False)
        codes[raters, item] = np.clip(np.rint(users[raters] @ lines[item] + rng.normal(size=len(raters))), 0, 4)
    return codes, RatingMatrix.from_dense(Vocabulary.numbered(items), codes), Factors(users, lines, POINTS)


def groups_of(factors: Factors, size: int) -> np.ndarray:
    """Return the mean factors of groups of people that are alike in the first factor."""
    order = np.argsort(factors.users[:, 0])
    return np.array([factors.users[some].mean(axis=0) for some in np.array_split(order, len(order) // size)])


def made_by(codes: np.ndarray, factors: Factors, raters: int, *, at_raters: bool = False) -> Factors:
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(codes.shape[1]), codes)
    return supported_factors(matrix, factors, raters, groups_of(factors, raters), at_raters=at_raters)


def columns_of(codes: np.ndarray, factors: Factors, raters: int) -> np.ndarray:
    """Return the predictions for users × items by the definition in the documentation, item by item."""
    given_to = codes >= 0
    weights = given_to.sum(axis=0) / given_to.sum()
    users, profiles = factors.users.astype(float), groups_of(factors, raters).astype(float)
    everybody = np.vstack([users, profiles])
    predictions = (everybody @ factors.items.T.astype(float)).T  # items × (users, then profiles)
    n, base = len(codes), weights @ predictions
    apart = predictions - base
    levels = apart[:, :n].mean(axis=1)
    shapes = apart - levels[:, None]
    variances, directions = np.linalg.eigh(shapes[:, :n].T @ (shapes[:, :n] * weights[:, None]))
    order = np.argsort(-variances)[:3]
    to_all = np.linalg.lstsq(shapes[:, :n].T, directions[:, order], rcond=None)[0]
    level_variance = weights @ levels**2
    along = (shapes.T @ to_all) * np.sqrt(variances[order] / level_variance)
    far = np.linalg.norm(along[:n], axis=1)
    weigh = np.minimum(1, np.quantile(far, 0.75) / far)
    error = np.mean((np.clip(predictions[:, :n].T, 0, POINTS - 1) - codes)[given_to] ** 2)
    ridge = max(error / level_variance, 0.01)
    lines = np.column_stack([np.ones(len(everybody)), along])
    return np.column_stack(
        [fitted(codes[:, item], base, lines, weigh, ridge, raters, predictions[item]) for item in range(codes.shape[1])]
    )[:n]


def fitted(ratings, base, lines, weigh, ridge, raters, before) -> np.ndarray:
    rated, n, most = np.flatnonzero(ratings >= 0), len(ratings), 0.999 / raters
    numbers = min(len(rated) // raters, 4)

    def bound(inverse: np.ndarray, w: np.ndarray) -> float:
        width = len(inverse)
        at = [float(line @ inverse @ line) for line in lines[n:, :width]]
        of = [float(weight**2 * line @ inverse @ line) for weight, line in zip(w, lines[rated, :width], strict=True)]
        return np.sqrt(max(at) * max(of))

    w = np.ones(len(rated))
    plain = lines[rated].T @ lines[rated]
    if numbers == 4 and np.linalg.cond(plain) < 1e10 and bound(np.linalg.inv(plain), w) <= most:
        return before
    if (weigh[rated].sum() + ridge) * most < 1.02 * weigh[rated].max():
        numbers = 1
    if numbers > 1:
        w = weigh[rated]
    known = lines[rated, :numbers]
    free = np.eye(numbers) * (np.arange(numbers) > 0)

    def inverted(penalty: float) -> np.ndarray:
        return np.linalg.inv((known.T * w) @ known + ridge * np.eye(numbers) + penalty * free)

    penalty = 0.0
    if numbers > 1 and bound(inverted(0), w) > most:
        penalty = 1.0
        while bound(inverted(penalty), w) > most:
            penalty *= 2
        low = penalty / 2 if penalty > 1 else 0.0
        for _ in range(6):
            middle = (low + penalty) / 2
            if bound(inverted(middle), w) > most:
                low = middle
            else:
                penalty = middle
    return base + lines[:, :numbers] @ inverted(penalty) @ (known.T * w) @ (ratings - base[:n])[rated]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 12))
def test_items_are_fitted_as_the_documentation_says(seed, raters) -> None:
    codes, _, factors = drawn(seed, fewest=raters)
    assert parameters_per_item(factors) == 4
    made = made_by(codes, factors, raters)
    after = made.users.astype(float) @ made.items.T.astype(float)
    np.testing.assert_allclose(after, columns_of(codes, factors, raters), atol=1e-2)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 9))
def test_columns_of_items_with_few_raters_differ_by_a_constant_and_then_in_one_direction_more_at_a_time(
    seed, raters
) -> None:
    codes, _, factors = drawn(seed, fewest=raters)
    made = made_by(codes, factors, raters)
    columns = made.users.astype(float) @ made.items.T.astype(float)
    counts = (codes >= 0).sum(axis=0)
    for numbers in (1, 2, 3):
        shapes = columns[:, counts < (numbers + 1) * raters]
        shapes = shapes - shapes[:, :1]
        assert np.linalg.matrix_rank(shapes - shapes.mean(axis=0), tol=1e-3) <= numbers - 1


# ── what one rating moves ─────────────────────────────────────────────────────────────────────────────────────────


def with_one_far_out(seed: int, raters: int, items: int = 12):
    """Like drawn, with more raters by item, and one of each item far from all others, in one direction or in all."""
    rng = np.random.default_rng(seed)
    codes, _, factors = drawn(seed, n=60, items=items, fewest=raters)
    users = factors.users.copy()
    for item in range(items):
        rater = rng.choice(np.flatnonzero(codes[:, item] >= 0))
        users[rater, : rng.integers(1, 4)] *= rng.choice([1, 5, 30])
    return codes, Factors(users, factors.items.copy(), POINTS)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 8), at_raters=st.booleans(), data=st.data())
def test_no_rating_moves_a_cell_of_a_profile_by_more_than_its_share(seed, raters, at_raters, data) -> None:
    codes, factors = with_one_far_out(seed, raters)
    item = data.draw(st.integers(0, codes.shape[1] - 1))
    rated = np.flatnonzero(codes[:, item] >= 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "errors_of", lambda *_: np.ones(1))  # learned from all ratings, this one among them
        before = made_by(codes, factors, raters, at_raters=at_raters)
        profiles = np.column_stack([groups_of(factors, raters), np.ones(60 // raters)]).astype(float)
        seen = np.vstack([profiles, before.users[rated]]) if at_raters else profiles
        for rater in rated:
            changed = codes.copy()
            changed[rater, item] = 4 if codes[rater, item] < 2 else 0
            after = made_by(changed, factors, raters, at_raters=at_raters)
            moved = np.abs(seen @ (after.items - before.items).T.astype(float))
            assert not np.delete(moved, item, axis=1).any(), "other items stay"
            change = abs(int(changed[rater, item]) - int(codes[rater, item]))
            assert moved[:, item].max() <= change / raters


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 8), data=st.data())
def test_where_ratings_are_averaged_with_predictions_none_moves_a_cell_by_more_than_three_shares(
    seed, raters, data
) -> None:
    codes, factors = with_one_far_out(seed, raters)
    item = data.draw(st.integers(0, codes.shape[1] - 1))
    rated = np.flatnonzero(codes[:, item] >= 0)
    rater = data.draw(st.sampled_from(rated.tolist()))
    changed = codes.copy()
    changed[rater, item] = 4 if codes[rater, item] < 2 else 0
    order = np.argsort(factors.users[:, 0])
    cells = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "errors_of", lambda *_: np.ones(1))
        for given_codes in (codes, changed):
            made = made_by(given_codes, factors, raters, at_raters=True)
            published = made.users.astype(float) @ made.items[item].astype(float)
            padded = np.where(given_codes[:, item] >= 0, given_codes[:, item], published)
            cells.append(np.array([padded[some].mean() for some in np.array_split(order, 60 // raters)]))
    change = abs(int(changed[rater, item]) - int(codes[rater, item]))
    assert np.abs(cells[1] - cells[0]).max() <= 3 * change / raters


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 4), penalty=st.sampled_from([1e-4, 1, 20]))
def test_where_factors_stay_as_fitted_no_penalty_lets_a_rating_move_more_than_its_share(seed, raters, penalty) -> None:
    """What a predictor fits by least squares with a penalty, with the factors of users as they are."""
    codes, factors = with_one_far_out(seed, raters, 4)
    rng = np.random.default_rng(seed)
    codes[:, 0] = rng.integers(0, 5, 60)  # one that everybody rated
    made = made_by(codes, factors, raters)
    profiles = groups_of(factors, raters).astype(float)
    stay = np.flatnonzero((made.items[:, :-1] == factors.items).all(axis=1))
    for item in stay:
        known = factors.users[codes[:, item] >= 0].astype(float)
        pulls = profiles @ np.linalg.solve(known.T @ known + penalty * np.eye(4), known.T)
        assert np.abs(pulls).max() <= 1 / raters


def test_where_everybody_rated_everything_factors_stay_as_fitted() -> None:
    _, _, factors = drawn(1)
    codes = np.random.default_rng(1).integers(0, 5, (40, 12)).astype(np.int32)
    made = made_by(codes, factors, 2)
    assert (made.items[:, :-1] == factors.items).all()
    assert not made.items[:, -1].any()


@pytest.mark.parametrize("users", [np.ones((6, 2)), np.zeros((6, 2)), np.eye(6, 2)])
@pytest.mark.parametrize("items", [np.ones((2, 2)), np.zeros((2, 2)), np.eye(2), np.array([[1, 2], [1, 3]])])
def test_people_and_items_that_do_not_differ_are_foretold_something(users, items) -> None:
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(2), np.array([[1, -1]] * 3 + [[4, 2]] * 3, np.int32))
    factors = Factors(users.astype(np.float32), items.astype(np.float32), POINTS)
    made = supported_factors(matrix, factors, 3, users[:2])
    assert np.isfinite(made.users @ made.items.T).all()
