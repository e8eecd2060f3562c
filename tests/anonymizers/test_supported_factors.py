"""Every number that is fitted to an item rests on enough raters; against least squares by the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers import supported_factors as module
from shoal.anonymizers.supported_factors import numbers_of_items, supported_factors
from shoal.data import RatingMatrix, Vocabulary
from shoal.predictors import Factors

POINTS = 5


def drawn(seed: int, n: int = 40, items: int = 12, width: int = 3, fewest: int = 2):
    """Give codes with −1 for null, of items with at least the fewest raters, and factors with constants among them."""
    rng = np.random.default_rng(seed)
    users = np.column_stack([rng.normal(size=(n, width)), np.ones(n)]).astype(np.float32)
    lines = np.column_stack([rng.normal(size=(items, width)), rng.normal(2, 1, items)]).astype(np.float32)
    codes = np.full((n, items), -1, np.int32)
    for item in range(items):
        raters = rng.choice(n, rng.integers(fewest, min(6 * fewest, n) + 1), replace=False)
        codes[raters, item] = np.clip(np.rint(users[raters] @ lines[item] + rng.normal(size=len(raters))), 0, 4)
    return codes, RatingMatrix.from_dense(Vocabulary.numbered(items), codes), Factors(users, lines, POINTS)


def expected(codes: np.ndarray, factors: Factors, item: int, numbers: int) -> np.ndarray:
    """Give the predictions for an item, fitted by so many numbers, by the definition in the documentation."""
    given_to = codes >= 0
    weights = given_to.sum(axis=0) / given_to.sum()
    predictions = (factors.users.astype(float) @ factors.items.T.astype(float)).T  # items × users
    base = weights @ predictions
    apart = predictions - base
    levels = apart.mean(axis=1)
    shapes = apart - levels[:, None]
    variances, directions = np.linalg.eigh(shapes.T @ (shapes * weights[:, None]))
    order = np.argsort(-variances)[: numbers - 1]
    along, variances = directions[:, order] * np.sqrt(len(codes)), variances[order] / len(codes)
    clipped = np.clip(predictions.T, 0, POINTS - 1)
    error = np.mean((clipped - codes)[given_to] ** 2)
    raters = given_to[:, item]
    known = np.column_stack([np.ones(raters.sum()), along[raters]])
    prior = error / np.concatenate([[weights @ levels**2], variances])
    wanted = (codes[:, item] - base)[raters]
    found = np.linalg.solve(known.T @ known + np.diag(prior), known.T @ wanted)
    return base + np.column_stack([np.ones(len(codes)), along]) @ found


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 12))
def test_an_item_has_a_number_for_each_so_many_raters(seed, raters) -> None:
    codes, matrix, factors = drawn(seed, fewest=raters)
    assert numbers_of_items(factors) == 4
    made = supported_factors(matrix, factors, raters)
    before, after = (each.users.astype(float) @ each.items.T.astype(float) for each in (factors, made))
    for item, count in enumerate((codes >= 0).sum(axis=0).tolist()):
        if count >= 4 * raters:
            assert after[:, item] == pytest.approx(before[:, item]), "enough for all of them"
        else:
            np.testing.assert_allclose(
                after[:, item], expected(codes, factors, item, count // raters), atol=2e-3, err_msg=str(count)
            )


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 9))
def test_columns_of_items_with_few_raters_differ_by_a_constant_and_then_in_one_direction_more_at_a_time(
    seed, raters
) -> None:
    codes, matrix, factors = drawn(seed, fewest=raters)
    made = supported_factors(matrix, factors, raters)
    columns = made.users.astype(float) @ made.items.T.astype(float)
    counts = (codes >= 0).sum(axis=0)
    for numbers in (1, 2, 3):
        shapes = columns[:, counts < (numbers + 1) * raters]
        shapes = shapes - shapes[:, :1]
        assert np.linalg.matrix_rank(shapes - shapes.mean(axis=0), tol=1e-3) <= numbers - 1


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), raters=st.integers(2, 9), data=st.data())
def test_one_rating_moves_a_level_by_less_than_its_share(seed, raters, data) -> None:
    codes, _, factors = drawn(seed, fewest=raters)
    few = np.flatnonzero((codes >= 0).sum(axis=0) < 2 * raters)
    if not len(few):
        return
    item = data.draw(st.sampled_from(few.tolist()))
    rater = data.draw(st.sampled_from(np.flatnonzero(codes[:, item] >= 0).tolist()))
    changed = codes.copy()
    changed[rater, item] = data.draw(st.integers(0, 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_error_variance", lambda *_: 1.0)  # learnt from all ratings, this one among them
        lines = [
            supported_factors(RatingMatrix.from_dense(Vocabulary.numbered(12), some), factors, raters).items
            for some in (codes, changed)
        ]
    moved = np.abs(lines[0] - lines[1])
    assert not moved[:, :-1].any(), "what differs between people stays"
    assert not np.delete(moved[:, -1], item).any(), "and so do other items"
    assert moved[item, -1] <= abs(int(changed[rater, item]) - int(codes[rater, item])) / raters


def test_where_all_items_have_enough_raters_nothing_is_fitted_anew() -> None:
    _, matrix, factors = drawn(1, fewest=40)
    assert supported_factors(matrix, factors, 10) is factors


@pytest.mark.parametrize("users", [np.ones((6, 2)), np.zeros((6, 2)), np.eye(6, 2)])
@pytest.mark.parametrize("items", [np.ones((2, 2)), np.zeros((2, 2)), np.eye(2), np.array([[1, 2], [1, 3]])])
def test_people_and_items_that_do_not_differ_are_foretold_something(users, items) -> None:
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(2), np.array([[1, -1]] * 3 + [[4, 2]] * 3, np.int32))
    made = supported_factors(matrix, Factors(users.astype(np.float32), items.astype(np.float32), POINTS), 3)
    assert np.isfinite(made.users @ made.items.T).all()
