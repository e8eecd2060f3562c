"""Partial padding: the share that was asked for, of the cells least in doubt, and popular items stay popular."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

import oracles
from shoal import road
from shoal.anonymizers import Predictive, methods
from shoal.anonymizers.predictive import confident_cells as module
from shoal.anonymizers.predictive.confident_cells import confident_cells
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import GuaranteeError, InputError, WordingError
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.testing.strategies import ratings as drawn_ratings

SHARES = st.fractions(0, 1, max_denominator=40).filter(lambda share: share > 0)


def rated_by(given: np.ndarray) -> RatingMatrix:
    """Ratings of which it only counts who gave them."""
    return RatingMatrix.from_dense(Vocabulary.numbered(given.shape[1]), np.where(given, 1, -1))


def drawn(seed: int, n_users: int, n_items: int, width: int, n_groups: int):
    """Return who rated what, users' factors and groups' centers; the items differ in how many rated them."""
    rng = np.random.default_rng(seed)
    given = rng.random((n_users, n_items)) < rng.random(n_items)
    users = rng.normal(size=(n_users, width)).astype(np.float32)
    return given, users, rng.normal(size=(n_groups, width))


def unpacked(cells: np.ndarray, n_items: int) -> np.ndarray:
    assert not np.unpackbits(cells, axis=1)[:, n_items:].any(), "no bits beyond the last item"
    return np.unpackbits(cells, axis=1, count=n_items).astype(bool)


def doubts(given: np.ndarray, users: np.ndarray, centers: np.ndarray, fewest: int) -> np.ndarray:
    """Return cᵀ·A⁻¹·c of every cell by the definition, cell by cell."""
    users = users.astype(np.float64)
    average = sum(np.outer(u, u) for u in users) / len(users)
    out = np.zeros((len(centers), given.shape[1]))
    for item, raters in enumerate(given.T):
        known = sum((np.outer(u, u) for u in users[raters]), np.zeros_like(average))
        if raters.sum() < fewest:
            known = raters.sum() * average
        for group, center in enumerate(centers):
            out[group, item] = center @ np.linalg.solve(known + average, center)
    return out


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    n_items=st.integers(1, 20),
    width=st.integers(1, 4),
    n_groups=st.integers(1, 8),
    share=SHARES,
    fewest=st.integers(0, 6),
)
def test_exactly_the_share_is_chosen_and_nothing_left_out_is_less_in_doubt(
    seed, n_items, width, n_groups, share, fewest
) -> None:
    given, users, centers = drawn(seed, 15, n_items, width, n_groups)
    chosen = unpacked(confident_cells(rated_by(given), users, centers, share, fewest), n_items)
    assert chosen.sum() == math.ceil(share * n_groups * n_items)
    expected = doubts(given, users, centers, fewest)
    if not chosen.all():
        assert expected[chosen].max() <= expected[~chosen].min() * 1.0001


@pytest.mark.parametrize("numbers", [1, 40, 1000])
def test_it_does_not_matter_how_much_is_worked_on_at_a_time(numbers, monkeypatch) -> None:
    given, users, centers = drawn(4, 40, 50, 3, 30)
    whole = confident_cells(rated_by(given), users, centers, Fraction(1, 3), 2)
    monkeypatch.setattr(module, "_NUMBERS", numbers)
    assert (confident_cells(rated_by(given), users, centers, Fraction(1, 3), 2) == whole).all()


@pytest.mark.parametrize("numbers", [1, 8, 1 << 22])
@pytest.mark.parametrize("taken", [1, 4, 5, 11, 12])
def test_of_equally_doubtful_cells_the_first_are_taken(taken, numbers, monkeypatch) -> None:
    """Nobody rated anything, and all groups are the same."""
    monkeypatch.setattr(module, "_NUMBERS", numbers)
    users = np.ones((5, 2), np.float32)
    cells = confident_cells(rated_by(np.zeros((5, 4), bool)), users, np.ones((3, 2)), Fraction(taken, 12), 2)
    assert unpacked(cells, 4).ravel().tolist() == [place < taken for place in range(12)]


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), scale=st.sampled_from([1e-3, 1.0, 1e4]))
def test_a_predictor_may_scale_turn_and_repeat_its_factors(seed, scale) -> None:
    given, users, centers = drawn(seed, 30, 10, 3, 5)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0] * [scale, 1, 1]
    turn = np.column_stack([turn, turn[:, 0]])
    chosen, other = (
        unpacked(confident_cells(rated_by(given), some_users, some_centers, Fraction(1, 2), 0), 10)
        for some_users, some_centers in ((users, centers), ((users @ turn).astype(np.float32), centers @ turn))
    )
    expected = doubts(given, users, centers, 0)
    unlike = expected[chosen != other]
    np.testing.assert_allclose(unlike, np.sort(expected.ravel())[24], rtol=1e-3)


def test_users_without_any_factors_have_equally_doubtful_cells() -> None:
    cells = confident_cells(
        rated_by(np.ones((4, 3), bool)), np.zeros((4, 2), np.float32), np.zeros((2, 2)), Fraction(1, 2), 1
    )
    assert unpacked(cells, 3).ravel().tolist() == [True] * 3 + [False] * 3


@given(seed=st.integers(0, 2**32), share=SHARES, raters=st.permutations(range(12)))
def test_who_the_few_raters_of_an_item_are_is_not_told(seed, share, raters) -> None:
    given, users, centers = drawn(seed, 12, 9, 3, 6)
    given[:, 0], given[:, 1] = False, True
    before, after = given.copy(), given.copy()
    before[[0, 1, 2], 0] = True
    after[list(raters[:3]), 0] = True
    published = [confident_cells(rated_by(some), users, centers, share, 4) for some in (before, after)]
    assert (published[0] == published[1]).all()


def test_more_raters_and_raters_of_like_taste_leave_less_doubt() -> None:
    users = np.array([[1, 0]] * 9 + [[0, 1]] * 9, np.float32)
    given = np.zeros((18, 3), bool)
    given[:2, 0], given[:6, 1], given[9:15, 2] = True, True, True
    cells = confident_cells(rated_by(given), users, np.array([[1.0, 0.0], [0.0, 1.0]]), Fraction(1, 2), 1)
    assert unpacked(cells, 3).tolist() == [[True, True, False], [False, False, True]]


# ── the method ────────────────────────────────────────────────────────────────────────────────────────────────────


def popular(n: int = 300, items: int = 40, seed: int = 1) -> Ratings:
    """People of two tastes, and items of which each is rated by fewer than the one before."""
    rng = np.random.default_rng(seed)
    rated = rng.random((n, items)) < 0.9 * 0.9 ** np.arange(items)
    taste = rng.choice([-1, 1], n)[:, None] * rng.choice([-1, 1], items)
    codes = np.clip(np.rint(2 + taste + rng.normal(size=(n, items))), 0, 4).astype(np.int32)
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(items), np.where(rated, codes, -1))
    return Ratings(Vocabulary.numbered(n), matrix, RatingMatrix.empty(n), Scale.of(1, 5))


def released(data: Ratings, method: Predictive, k: int = 5, seed: int = 3) -> Ratings:
    """Publish, and put the profiles in the order of the first person of each."""
    release, ledger = road.publish(data, [KAnonymity(k)], method, randomness=Randomness(seed))
    assert isinstance(release.records, Ratings)
    assert ledger.places is not None
    firsts = np.full(len(release.records), len(data))
    np.minimum.at(firsts, ledger.places, ledger.origins)
    return release.records.take(np.argsort(firsts))


def holders(records: Ratings) -> np.ndarray:
    """Count for each item the people whose profile holds it."""
    people = np.ones(len(records)) if records.people is None else records.people
    matrix = records.observable
    return np.bincount(matrix.indices, np.repeat(people, np.diff(matrix.indptr)), len(matrix.items))


@pytest.mark.parametrize("boost", [Fraction(1, 10), Fraction(3, 10), Fraction(6, 10)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_popular_items_stay_popular(boost, seed) -> None:
    """Of two items that not equally many hold, the one held by more was rated by more, save for one pair in twenty."""
    data = popular(seed=seed)
    whole = holders(released(data, Predictive()))
    assert np.ptp(whole[whole > 0]) == 0, "complete profiles do not tell popular items from others"
    before, after = holders(data), holders(released(data, Predictive(boost=boost)))
    pairs = np.sign(np.subtract.outer(before, before)) * np.sign(np.subtract.outer(after, after))
    assert (pairs < 0).sum() < (pairs > 0).sum() / 20
    correlation = np.corrcoef(rankdata(before), rankdata(after))[0, 1]
    assert correlation > 0.7, "it cannot be 1: most items are held by nobody at a small share"


@pytest.mark.parametrize("variant", ["predicted", "padded"])
@settings(max_examples=25)
@given(data=drawn_ratings(min_records=2, max_records=12, max_sensitive=0), k=st.integers(2, 4), share=SHARES)
def test_a_release_has_the_share_of_cells_and_keeps_its_promise_or_is_refused(variant, data, k, share) -> None:
    method = Predictive(variant=variant, boost=share)
    items = int((holders(data) >= k).sum())
    if not items:
        with pytest.raises((InputError, GuaranteeError)):
            released(data, method, k)
        return
    records = released(data, method, k)
    assert records.observable.n_ratings == math.ceil(share * len(records) * items)
    assert records.people is not None
    assert oracles.holds(records.of_each(np.repeat(np.arange(len(records)), records.people)), KAnonymity(k))


@pytest.mark.parametrize("variant", ["predicted", "padded"])
def test_what_is_published_is_what_would_be_without_boost(variant) -> None:
    """The same seed makes the same groups."""
    data = popular(60, 12)
    complete, partial = (
        oracles.profiles(released(data, Predictive(variant=variant, boost=boost))) for boost in (None, Fraction(1, 3))
    )
    assert any(rating is None for row in partial for rating in row)
    for whole, part in zip(complete, partial, strict=True):
        assert all(rating in (None, known) for known, rating in zip(whole, part, strict=True))


@pytest.mark.parametrize("variant", ["predicted", "padded"])
def test_a_boost_of_one_is_none(variant) -> None:
    data = popular(60, 12)
    without, whole = (released(data, Predictive(variant=variant, boost=boost)) for boost in (None, Fraction(1)))
    assert oracles.profiles(without) == oracles.profiles(whole)


def test_the_same_seed_publishes_the_same_cells() -> None:
    once, again = (oracles.profiles(released(popular(), Predictive(boost=Fraction(1, 5)))) for _ in range(2))
    assert once == again


def test_a_boost_is_read_and_written() -> None:
    method = methods.read("predictive:boost=0.3")
    assert method == Predictive(boost=Fraction(3, 10))
    assert methods.read(str(method)) == method


@pytest.mark.parametrize("boost", ["0", "-0.1", "1.01"])
def test_a_boost_that_is_no_share_is_refused(boost) -> None:
    with pytest.raises(WordingError, match="above 0 and at most 1"):
        methods.read(f"predictive:boost={boost}")


def test_what_is_not_padded_cannot_be_padded_in_part() -> None:
    with pytest.raises(WordingError, match="variant=simple"):
        Predictive(variant="simple", boost=Fraction(1, 2))
