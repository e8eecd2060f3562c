"""Alternating least squares finds what is there to be found, never gets worse, and repeats itself."""

import itertools
from fractions import Fraction

import numba
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import RatingMatrix, Scale, Vocabulary
from shoal.errors import WordingError
from shoal.kernels.compiled import parallel_from
from shoal.predictors import Als, Factors, predictors
from shoal.progress import listening
from shoal.randomness import Randomness
from shoal.testing import check_wording
from threads import THREADS

FIVE = Scale.of(1, 5)


def matrix_of(codes: np.ndarray, scale: Scale = FIVE) -> RatingMatrix:
    """Return a matrix of a dense array in which −1 is null."""
    return RatingMatrix.from_dense(Vocabulary.numbered(codes.shape[1]), codes, scale.dtype)


def drawn(seed: int, n_users: int = 12, n_items: int = 9) -> np.ndarray:
    """Return random codes, with a few users and items that have none."""
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((n_users, n_items)) < 0.6, rng.integers(0, 5, (n_users, n_items)), -1)
    codes[rng.random(n_users) < 0.1] = -1
    codes[:, rng.random(n_items) < 0.1] = -1
    return codes


def objective(codes: np.ndarray, factors: Factors, penalty: float) -> float:
    """Add up squared errors and penalties; the mean is that of the ratings, the rest is read from the factors."""
    given = codes >= 0
    mean = codes[given].mean()
    errors = (codes - factors.users.astype(np.float64) @ factors.items.astype(np.float64).T)[given]
    users = np.column_stack([factors.users[:, :-2], factors.users[:, -2] - mean]).astype(np.float64)
    items = np.column_stack([factors.items[:, :-2], factors.items[:, -1]]).astype(np.float64)
    lengths = [np.sqrt(given.sum(axis=axis)) @ (side**2).sum(axis=1) for axis, side in ((1, users), (0, items))]
    return float(np.sum(errors**2) + penalty * sum(lengths))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), n_factors=st.integers(0, 6), tenths=st.integers(1, 30))
def test_no_sweep_makes_the_fit_worse(seed: int, n_factors: int, tenths: int) -> None:
    codes = drawn(seed)
    if (codes >= 0).any():
        penalty = Fraction(tenths, 10)
        values = [
            objective(codes, Als(n_factors, penalty, sweeps).fit(matrix_of(codes), FIVE, Randomness(1)), float(penalty))
            for sweeps in range(1, 7)
        ]
        assert all(after <= before * (1 + 1e-5) + 1e-5 for before, after in itertools.pairwise(values))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), n_factors=st.integers(0, 4))
def test_after_many_sweeps_no_small_step_of_anybody_makes_the_fit_better(seed: int, n_factors: int) -> None:
    """The items are solved last, so at the end none of them can gain at all."""
    codes, rng = drawn(seed), np.random.default_rng(seed)
    if (codes >= 0).any():
        fitted = Als(n_factors, Fraction(1, 2), 10).fit(matrix_of(codes), FIVE, Randomness(1))
        least = objective(codes, fitted, 0.5)
        for _ in range(5):
            moved = fitted.items + 0.05 * rng.normal(size=fitted.items.shape).astype(np.float32)
            moved[:, -2] = 1
            assert objective(codes, Factors(fitted.users, moved, 5), 0.5) >= least * (1 - 1e-5) - 1e-5


def test_a_planted_matrix_of_low_rank_is_found_again() -> None:
    rng = np.random.default_rng(2)
    users, items = rng.normal(size=(150, 3)), rng.normal(size=(100, 3))
    truth = 500 + 60 * users @ items.T + 30 * rng.normal(size=(150, 1)) + 40 * rng.normal(size=100)
    scale = Scale.of(0, 1000)
    codes = np.clip(np.rint(truth), 0, 1000).astype(np.int32)
    hidden = rng.random(codes.shape) < 0.3
    fitted = Als(3, Fraction(1, 1000), 30).fit(matrix_of(np.where(hidden, -1, codes), scale), scale, Randomness(5))
    errors = fitted.predict(*np.nonzero(hidden)) - codes[hidden]
    assert np.sqrt(np.mean(errors**2)) < 0.05 * codes.std()


def test_a_penalty_means_the_same_on_every_scale() -> None:
    codes = drawn(3, 30, 20)
    coarse = Als(4).fit(matrix_of(codes), FIVE, Randomness(1))
    fine_scale = Scale.of(0, 400)
    fine = Als(4).fit(matrix_of(np.where(codes < 0, -1, codes * 100), fine_scale), fine_scale, Randomness(1))
    np.testing.assert_allclose(fine.users @ fine.items.T, 100 * (coarse.users @ coarse.items.T), rtol=1e-3, atol=0.1)


def test_users_without_ratings_are_foretold_the_mean_and_the_bias_of_the_item() -> None:
    codes = drawn(6, 20, 10)
    codes[[0, 7]] = -1
    fitted = Als(5).fit(matrix_of(codes), FIVE, Randomness(1))
    mean = np.float32(codes[codes >= 0].mean())
    for user in (0, 7):
        assert fitted.users[user].tolist() == [0] * 5 + [mean, 1]
        np.testing.assert_allclose(fitted.users[user] @ fitted.items.T, mean + fitted.items[:, -1], rtol=1e-6)


def test_items_without_raters_are_foretold_the_mean_and_the_bias_of_the_user() -> None:
    codes = drawn(6, 20, 10)
    codes[:, [0, 9]] = -1
    fitted = Als(5).fit(matrix_of(codes), FIVE, Randomness(1))
    for item in (0, 9):
        assert fitted.items[item].tolist() == [0] * 5 + [1, 0]


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3), (4, 3)])
def test_where_nothing_is_rated_the_middle_of_the_scale_is_foretold(shape: tuple[int, int]) -> None:
    scale = Scale.of(1, 10)
    fitted = Als().fit(matrix_of(np.full(shape, -1), scale), scale, Randomness(1))
    assert (fitted.users.shape, fitted.items.shape) == ((shape[0], 18), (shape[1], 18))
    assert (fitted.users @ fitted.items.T == 4.5).all()


def test_without_factors_only_biases_are_fitted() -> None:
    fitted = Als(0).fit(matrix_of(drawn(1)), FIVE, Randomness(1))
    assert fitted.users.shape == (12, 2)
    assert (fitted.users[:, 1] == 1).all()
    assert (fitted.items[:, 0] == 1).all()


@pytest.mark.skipif(THREADS < 2, reason="there is one thread only")
def test_a_seed_gives_the_same_factors_on_any_number_of_threads() -> None:
    codes = drawn(4, 200, 300)
    found, before = set(), numba.get_num_threads()
    for threads in (1, 2):
        numba.set_num_threads(threads)
        with parallel_from(0):
            fitted = Als(sweeps=3).fit(matrix_of(codes), FIVE, Randomness(9))
        found.add(fitted.users.tobytes() + fitted.items.tobytes())
    numba.set_num_threads(before)
    assert len(found) == 1
    other = Als(sweeps=3).fit(matrix_of(codes), FIVE, Randomness(10))
    assert other.users.tobytes() + other.items.tobytes() not in found


def test_wide_scales_are_fitted_as_well() -> None:
    scale = Scale.of(0, 65_534)
    codes = np.where(drawn(2, 30, 20) < 0, -1, drawn(5, 30, 20).clip(0) * 16_383)
    fitted = Als().fit(matrix_of(codes, scale), scale, Randomness(1))
    given = np.nonzero(codes >= 0)
    assert np.abs(fitted.predict(*given) - codes[given]).mean() < np.abs(codes[given] - codes[given].mean()).mean()


def test_ratings_of_movies_are_foretold_better_than_by_biases(shared_data) -> None:
    path = shared_data / "ratings" / "ml-100k" / "u.data"
    if not path.exists():
        pytest.skip("MovieLens 100K is not beside this checkout")
    table = pl.read_csv(path, separator="\t", has_header=False).to_numpy()
    codes = np.full((943, 1682), -1)
    codes[table[:, 0] - 1, table[:, 1] - 1] = table[:, 2] - 1
    held = (codes >= 0) & (np.random.default_rng(1).random(codes.shape) < 0.1)
    matrix = matrix_of(np.where(held, -1, codes))
    off = {
        n: np.sqrt(np.mean((Als(n).fit(matrix, FIVE, Randomness(1)).predict(*np.nonzero(held)) - codes[held]) ** 2))
        for n in (0, 16)
    }
    assert off[16] < 0.91 < off[0] < 0.95


def test_every_half_of_a_sweep_is_told() -> None:
    published: list[tuple[str, int | None]] = []
    steps: list[int] = []

    class Ear:
        def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
            published.append((name, total))
            return name

        def advance(self, token: object, amount: int) -> None:
            steps.append(amount)

        def end(self, token: object) -> None: ...

    with listening(Ear()):
        Als(sweeps=3).fit(matrix_of(drawn(1)), FIVE, Randomness(1))
    assert published == [("sorting ratings by item", None), ("fitting the predictor", 6)]
    assert steps == [1] * 6


@given(st.integers(0, 99), st.fractions(Fraction(1, 1000), 99, max_denominator=1000), st.integers(1, 99))
def test_its_wording_is_read_back(n_factors: int, penalty: Fraction, sweeps: int) -> None:
    check_wording(Als(n_factors, penalty, sweeps), predictors)


@pytest.mark.parametrize("setting", ["factors=-1", "penalty=0", "penalty=0.00009", "penalty=-1", "sweeps=0"])
def test_settings_without_meaning_are_refused(setting: str) -> None:
    with pytest.raises(WordingError, match="als needs"):
        predictors.read(f"als:{setting}")
