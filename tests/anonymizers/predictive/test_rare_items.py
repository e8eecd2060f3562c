"""Ratings of items that few people rated: nothing that is published depends on them, nor tells that there are any."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import Predictive, Recoding, methods
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import GuaranteeError, WordingError
from shoal.models import BLDiversity, KAnonymity, KEpsilon
from shoal.randomness import Randomness
from surveys import survey

K = 4
RARE = 3
"""The first items are rated by one, two and three people."""
WAYS = pytest.mark.parametrize(
    ("method", "models"),
    [
        (Predictive(), [KAnonymity(K)]),
        (Predictive(variant="padded"), [KAnonymity(K)]),
        (Predictive(variant="simple"), [KAnonymity(K)]),
        (Predictive(boost=Fraction(1, 3)), [KAnonymity(K)]),
        (Predictive(variant="padded", boost=Fraction(1, 2), min_raters=1), [KAnonymity(K)]),
        (Predictive(variant="simple"), [KAnonymity(K), BLDiversity(1, 3)]),
        (Predictive(boost=Fraction(1, 3)), [KEpsilon(K, Fraction(1)), BLDiversity(2, 3)]),
        (Predictive(predictor="als:factors=0"), [KAnonymity(K)]),
        (Predictive(min_item_raters=K), [KAnonymity(2)]),
        (Predictive(), [BLDiversity(1, K)]),
    ],
    ids=lambda part: str(part) if isinstance(part, Predictive) else ", ".join(map(str, part)),
)


def drawn(seed: int, n: int = 30, items: int = 14) -> np.ndarray:
    """Draw codes of people with a taste, −1 for null; everybody rated the last item."""
    rng = np.random.default_rng(seed)
    taste = rng.normal(size=(n, 2)) @ rng.normal(size=(2, items))
    codes = np.clip(np.rint(2 + taste + 0.5 * rng.normal(size=(n, items))), 0, 4).astype(np.int32)
    codes[rng.random((n, items)) < 0.5] = -1
    codes[:, :RARE], codes[:, -1] = -1, rng.integers(0, 5, n)
    for item in range(RARE):
        codes[rng.choice(n, item + 1, replace=False), item] = rng.integers(0, 5, item + 1)
    return codes


def ratings(codes: np.ndarray, items: list[str] | None = None) -> Ratings:
    names = pl.Series(items or [f"item {number}" for number in range(codes.shape[1])])
    matrix = RatingMatrix.from_dense(Vocabulary(names), codes)
    return Ratings(Vocabulary.numbered(len(codes)), matrix, RatingMatrix.empty(len(codes)), Scale.of(1, 5))


def recoded(data: Ratings, method: Predictive, models) -> Recoding:
    return method.recode(data, models, LocalEngine(), Randomness(5))


def published(recoding: Recoding) -> tuple[bytes, ...]:
    """Everything that can be published, byte by byte; items by name."""
    records = recoding.records
    assert isinstance(records, Ratings)
    assert records.people is not None
    assert recoding.stands_for is not None
    matrix = records.observable
    names = ",".join(matrix.items.take(matrix.indices)).encode()
    arrays = matrix.indptr, matrix.codes, records.people, recoding.stands_for
    return names, str(records.scale).encode(), *(array.tobytes() for array in arrays)


@WAYS
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), item=st.integers(0, RARE - 1), rating=st.integers(0, 4), data=st.data())
def test_changing_a_rating_of_a_rare_item_changes_no_byte(method, models, seed, item, rating, data) -> None:
    codes = drawn(seed)
    rater = data.draw(st.sampled_from(np.flatnonzero(codes[:, item] >= 0).tolist()))
    changed = codes.copy()
    changed[rater, item] = rating
    assert published(recoded(ratings(codes), method, models)) == published(recoded(ratings(changed), method, models))


@WAYS
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), rated=st.lists(st.lists(st.integers(-1, 4), min_size=30, max_size=30), max_size=2))
def test_it_does_not_show_whether_anybody_rated_a_rare_item_or_whether_there_is_one(
    method, models, seed, rated
) -> None:
    """The rare items are taken out, or rated by others, and further ones come in between."""
    codes = drawn(seed)
    names = [f"item {number}" for number in range(codes.shape[1])]
    before = published(recoded(ratings(codes, names), method, models))
    assert before == published(recoded(ratings(codes[:, RARE:], names[RARE:]), method, models))
    for number, column in enumerate(rated):
        few = np.array(column, np.int32)
        few[np.flatnonzero(few >= 0)[K - 1 :]] = -1
        codes, names = np.insert(codes, 5, few, axis=1), [*names[:5], f"other {number}", *names[5:]]
    assert before == published(recoded(ratings(codes, names), method, models))


def test_with_one_rater_asked_for_a_rare_rating_does_show() -> None:
    """Otherwise nothing is shown by its not showing."""
    codes = drawn(1)
    changed = np.where((codes >= 0) & (np.arange(codes.shape[1]) == 0), 4 - codes, codes)
    method = Predictive(min_item_raters=1)
    assert published(recoded(ratings(codes), method, [KAnonymity(K)])) != published(
        recoded(ratings(changed), method, [KAnonymity(K)])
    )


@pytest.mark.parametrize(
    ("method", "models", "fewest"),
    [
        (Predictive(), [KAnonymity(3)], 3),
        (Predictive(), [KAnonymity(2), KEpsilon(5, Fraction(1))], 5),
        (Predictive(), [BLDiversity(1, 4)], 4),
        (Predictive(), [KAnonymity(2), BLDiversity(1, 4)], 2),
        (Predictive(min_item_raters=6), [KAnonymity(2)], 6),
        (Predictive(min_item_raters=1), [KAnonymity(5)], 1),
    ],
    ids=str,
)
def test_items_are_published_that_as_many_rated_as_a_profile_stands_for(method, models, fewest) -> None:
    codes = np.full((12, 9), -1, np.int32)
    for item in range(9):  # as many raters as its number
        codes[:item, item] = np.arange(item) % 5
    made = recoded(ratings(codes), method, models)
    assert isinstance(made.records, Ratings)
    assert sorted(set(made.records.observable.indices.tolist())) == list(range(fewest, 9))
    assert made.notes["items left out"] == fewest
    assert made.notes["ratings of items left out"] == sum(range(fewest))
    assert made.records.observable.items.values.to_list() == [f"item {number}" for number in range(9)]


def test_the_owner_is_told_what_is_left_out() -> None:
    codes = drawn(2)
    _, ledger = road.publish(ratings(codes), [KAnonymity(K)], Predictive())
    assert ledger.remarks == (
        f"3 of 14 items have fewer than 4 raters and are left out, with 6 of {(codes >= 0).sum()} ratings.",
    )
    _, ledger = road.publish(ratings(codes[:, RARE:]), [KAnonymity(K)], Predictive())
    assert ledger.remarks == ()


def test_an_end_of_the_scale_that_only_left_out_ratings_have_is_remarked_on() -> None:
    codes = drawn(2)
    codes[:, RARE:] = np.minimum(codes[:, RARE:], 3)
    codes[codes[:, 0] >= 0, 0] = 4
    _, ledger = road.publish(ratings(codes), [KAnonymity(K)], Predictive())
    assert "An end of the scale" in ledger.remarks[1]
    codes[codes[:, 0] >= 0, 0] = 3
    codes[:, 1:RARE] = np.minimum(codes[:, 1:RARE], 3)
    _, ledger = road.publish(ratings(codes), [KAnonymity(K)], Predictive())
    assert len(ledger.remarks) == 1


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (Predictive(min_item_raters=1), "With min_item_raters=1, items of fewer than 4 raters are published"),
        (Predictive(min_item_raters=3), "With min_item_raters=3, items of fewer than 4"),
        (Predictive(min_item_raters=4), None),
        (Predictive(variant="simple", min_raters=1), "With min_raters=1, cells are averages of fewer than 4"),
        (Predictive(variant="padded", min_raters=2), "With min_raters=2, cells are averages of fewer than 4"),
        (Predictive(variant="padded", min_raters=4), None),
        (Predictive(min_raters=1), None),
    ],
    ids=str,
)
def test_settings_below_what_is_promised_are_remarked_on(method, words) -> None:
    _, ledger = road.publish(ratings(drawn(2)[:, RARE:]), [KAnonymity(K)], method)
    assert [remark.startswith(words) for remark in ledger.remarks] == ([] if words is None else [True])


@pytest.mark.parametrize("alone", [1, 7])
def test_people_who_rated_rare_items_alone_are_counted_and_nothing_else_of_them_shows(alone) -> None:
    codes = np.insert(drawn(3), 30, np.full((alone, 14), -1), axis=0)
    codes[:, :RARE] = -1
    some = codes.copy()
    some[30 : 29 + K, 0], some[30 + K :, 1] = 4, 0
    assert published(recoded(ratings(codes), Predictive(), [KAnonymity(K)])) == published(
        recoded(ratings(some), Predictive(), [KAnonymity(K)])
    )
    made = recoded(ratings(some), Predictive(), [KAnonymity(K)])
    assert isinstance(made.records, Ratings)
    assert made.records.people is not None
    assert made.records.people.sum() == 30 + alone


def test_where_nothing_is_left_it_is_refused() -> None:
    data = survey([[1, None], [2, None], [None, 3], [None, 4]], 5)
    with pytest.raises(GuaranteeError, match="at least 3 people"):
        road.publish(data, [KAnonymity(3)], Predictive())
    made = road.publish(data, [KAnonymity(2)], Predictive())[0].records
    assert isinstance(made, Ratings)
    assert oracles.profiles(made)


def test_how_many_raters_an_item_needs_is_read_and_written() -> None:
    method = methods.read("predictive:min_item_raters=9")
    assert method == Predictive(min_item_raters=9)
    assert methods.read(str(method)) == method
    with pytest.raises(WordingError):
        Predictive(min_item_raters=0)


# ── one step up: items that k people rated, and few more ──────────────────────────────────────────────────────────


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), together=st.booleans())
def test_who_is_foretold_most_does_not_depend_on_who_the_k_raters_are(seed, together) -> None:
    """Two items with k raters each, drawn or all of one taste: their columns differ by a constant."""
    rng = np.random.default_rng(seed)
    codes = drawn(seed, 40)
    by_taste = np.argsort(codes[:, RARE:].mean(axis=1))
    codes[:, :2] = -1
    for item in range(2):
        raters = by_taste[item * 30 :][:K] if together else rng.choice(40, K, replace=False)
        codes[raters, item] = rng.integers(0, 5, K)
    made = recoded(ratings(codes), Predictive(), [KAnonymity(K)]).records
    assert isinstance(made, Ratings)
    first, second = made.observable.dense()[:, :2].T
    inside = (np.minimum(first, second) > 0) & (np.maximum(first, second) < made.scale.points - 1)  # not cut off
    assert np.ptp((first - second)[inside]) <= 1, "but for rounding"


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_which_profiles_hold_an_item_of_k_raters_does_not_depend_on_who_they_are(seed) -> None:
    rng = np.random.default_rng(seed)
    codes = drawn(seed, 40)
    codes[:, :2] = -1
    for item in range(2):
        codes[rng.choice(40, K, replace=False), item] = rng.integers(0, 5, K)
    made = recoded(ratings(codes), Predictive(boost=Fraction(3, 5)), [KAnonymity(K)]).records
    assert isinstance(made, Ratings)
    held = made.observable.dense()[:, :2] >= 0
    either = np.flatnonzero(held[:, 0] != held[:, 1])
    assert len(either) <= 1, "they are equally doubtful, and where the share ends one may be taken"


# ── what one rating weighs ────────────────────────────────────────────────────────────────────────────────────────


def one_among_neutral(raters: int, rating: int) -> np.ndarray:
    """Eighty people with a taste, a hundred without; of the former one rated the last item, and so did the latter."""
    rng = np.random.default_rng(1)
    codes = np.full((180, 41), -1, np.int32)
    taste = rng.choice([-1, 1], 80) * rng.uniform(0.3, 1, 80)
    opinions = np.clip(np.rint(2 + np.outer(taste, np.where(np.arange(40) % 2, 2, -2))), 0, 4)
    codes[:80, :40] = np.where(rng.random((80, 40)) < 0.6, opinions, -1)
    for person in range(80, 180):
        codes[person, rng.choice(40, 4, replace=False)] = 2
    codes[80 : 79 + raters, 40] = rng.integers(1, 4, raters - 1)
    codes[0, 40] = rating
    return codes


@pytest.mark.parametrize("raters", [10, 20, 25, 40])
def test_the_one_rater_who_is_unlike_the_others_is_not_what_is_published(raters) -> None:
    """From 2k raters on the rating of such a one was published nearly as it is."""
    own = []
    for rating in (0, 4):
        made = recoded(ratings(one_among_neutral(raters, rating)), Predictive(), [KAnonymity(5)])
        assert isinstance(made.records, Ratings)
        assert made.stands_for is not None
        own.append(made.records.observable.dense()[made.stands_for[0], 40] * float(made.records.scale.step))
    assert abs(own[1] - own[0]) <= 4 / 5 + 0.1, (
        "a fifth of the change, and what the rating moves in its rater's factors"
    )
