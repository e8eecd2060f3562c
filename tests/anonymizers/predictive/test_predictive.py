"""Predictive anonymization: every profile stands for at least k people, and no single rating shines through."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import Predictive, methods
from shoal.anonymizers.predictive.homogenization import Homogenization
from shoal.data import Ratings, Scale
from shoal.engines import LocalEngine
from shoal.errors import GuaranteeError, InputError, SchemaError, WordingError
from shoal.models import KAnonymity, KEpsilon, LDiversity
from shoal.predictors import Factors
from shoal.randomness import Randomness
from shoal.testing.strategies import ratings as drawn_ratings
from surveys import survey

VARIANTS = pytest.mark.parametrize("variant", ["predicted", "padded", "simple"])


def sparse(n: int, items: int, seed: int = 1) -> Ratings:
    """A survey in which one cell in three is rated; the first person rated nothing, and nobody the last item."""
    chance = np.random.default_rng(seed)
    rated = chance.random((n, items)) < 1 / 3
    rated[0], rated[:, -1] = False, False
    drawn = chance.integers(1, 6, (n, items))
    return survey(
        [[int(a) if b else None for a, b in zip(*row, strict=True)] for row in zip(drawn, rated, strict=True)], 5
    )


@VARIANTS
@settings(max_examples=25)
@given(data=drawn_ratings(min_records=2, max_records=14, max_sensitive=0), k=st.integers(2, 9))
def test_every_profile_stands_for_at_least_k_people(variant, data: Ratings, k: int):
    """Also where k is more than half the people; refused is more than all of them, or than rated any item."""
    if max(np.bincount(data.observable.indices), default=0) < k:
        with pytest.raises((InputError, GuaranteeError)):
            road.publish(data, [KAnonymity(k)], Predictive(variant=variant))
        return
    release, ledger = road.publish(data, [KAnonymity(k)], Predictive(variant=variant))
    profiles = release.records
    assert isinstance(profiles, Ratings)
    assert profiles.people is not None
    assert profiles.people.min() >= k
    assert profiles.n_people == len(data)
    assert ledger.places is not None
    assert np.bincount(ledger.places).tolist() == profiles.people.tolist()
    assert sorted(ledger.origins.tolist()) == list(range(len(data)))
    assert oracles.holds(profiles.of_each(ledger.places), KAnonymity(k))


@VARIANTS
@pytest.mark.parametrize("k", [2, 5, 21, 40])
def test_people_without_ratings_are_there_and_items_without_raters_are_not(variant, k):
    release, ledger = road.publish(sparse(40, 12), [KAnonymity(k)], Predictive(variant=variant, min_item_raters=2))
    assert isinstance(release.records, Ratings)
    assert len(ledger.origins) == 40
    assert release.certificate.promises[0].level["k"] >= k
    rated = np.diff(release.records.observable.indptr)
    assert 11 not in release.records.observable.indices, "what nobody rated stays null"
    assert variant == "simple" or (rated == 11).all(), "profiles hold all other items"


@VARIANTS
def test_expanded_profiles_are_one_record_a_person_and_the_same_within_a_group(variant):
    data = sparse(30, 8)
    release, ledger = road.publish(data, [KAnonymity(4)], Predictive(variant=variant), expand=True)
    assert isinstance(release.records, Ratings)
    assert release.records.people is None
    assert ledger.places is None
    assert len(release.records) == 30
    assert oracles.holds(release.records, KAnonymity(4))
    assert len(set(release.records.users.values.to_list())) == 30


def test_the_same_seed_and_secret_give_the_same_release():
    data, secret = sparse(50, 10), bytes(32)
    once, again, other = (
        road.publish(data, [KAnonymity(3)], Predictive(), randomness=Randomness(seed, secret))[0].records
        for seed in (1, 1, 2)
    )
    assert isinstance(once, Ratings)
    assert isinstance(again, Ratings)
    assert isinstance(other, Ratings)
    assert oracles.profiles(once) == oracles.profiles(again)
    assert once.users.values.to_list() == again.users.values.to_list()
    assert once.users.values.to_list() != other.users.values.to_list()


def test_a_sensitive_rating_is_nobodys_average():
    with pytest.raises(SchemaError):
        road.publish(survey([[1], [2]], 5, [1, 2]), [KAnonymity(2)], Predictive())


@pytest.mark.parametrize(
    "model",
    [
        KEpsilon(2, Fraction(1), semantics="partition"),
        KEpsilon(2, Fraction(1), Fraction(1)),
    ],
    ids=str,
)
def test_promises_about_others_than_groups_are_refused(model):
    data = survey([[1], [2], [3], [4]], 5, [1, 2, 3, 4])
    with pytest.raises(WordingError):
        Predictive().recode(data, [model], LocalEngine(), Randomness(1))
    with pytest.raises(WordingError):
        Predictive().recode(data, [LDiversity(2)], LocalEngine(), Randomness(1))


def test_the_predictor_is_the_one_that_is_named():
    data = sparse(40, 12)
    told = {}
    for wording in ("als:factors=4", "als", "als:factors=16;sweeps=12", "als:factors=0;sweeps=1"):
        method = methods.read(f"predictive:predictor={wording}")
        made = method.recode(data, [KAnonymity(4)], LocalEngine(), Randomness(1)).records
        assert isinstance(made, Ratings)
        told[wording] = oracles.profiles(made)
    assert told["als"] == told["als:factors=16;sweeps=12"]
    assert len({str(profiles) for profiles in told.values()}) == 3
    for wrong in ("als:factors=4,sweeps=2", "nobody", "als:taste=3"):
        with pytest.raises(WordingError):
            Predictive(predictor=wrong)


def test_no_raters_at_all_are_too_few_to_ask_for():
    with pytest.raises(WordingError):
        Predictive(min_raters=0)


# ── averages, by hand ─────────────────────────────────────────────────────────────────────────────────────────────

SCALE = Scale.of(1, 5)
RATED = [[5, None, 1], [4, None, None], [None, None, 3], [2, None, None]]
FACTORS = Factors(
    np.array([[1.0], [2.0], [3.0], [0.0]], np.float32), np.array([[1.0], [0.5], [2.0]], np.float32), SCALE.points
)


def averages(variant, min_raters: int, labels=(0, 0, 0, 1)) -> list[list[float | None]]:
    fine = SCALE.finer(50)
    how = Homogenization(survey(RATED, 5).observable, FACTORS, np.array(labels), variant, min_raters, fine)
    rows = []
    for _, codes, published in how.codes():
        told = fine.decode(codes).tolist()
        kept_cells = np.ones(codes.shape, bool) if published is None else published
        rows += [
            [value if kept else None for value, kept in zip(*row, strict=True)]
            for row in zip(told, kept_cells, strict=True)
        ]
    return rows


def test_predictions_alone_are_averaged():
    """The first three users average 2, so their codes are 2, 1 and 4; the last is 0 everywhere."""
    assert averages("predicted", 1) == [[3, 2, 5], [1, 1, 1]]


def test_padded_averages_take_ratings_where_there_are():
    """Item 1: (4 + 3 + prediction 3)/3; item 3: (0 + prediction 4 + 2)/3, codes from 0 upwards."""
    first, _ = averages("padded", 1)
    assert first == pytest.approx([1 + 10 / 3, 2, 1 + 2], abs=0.01)


def test_simple_averages_are_of_ratings_only():
    assert averages("simple", 1) == [[4.5, None, 2], [2, None, None]]


def test_too_few_raters_are_filled_by_prediction():
    """Of the first group two rated item 1 and two item 3; of the second one rated item 1."""
    assert averages("simple", 2) == [[4.5, None, 2], [1, None, None]]
    assert averages("simple", 3) == [[3, None, 5], [1, None, None]]
    first, second = averages("padded", 3)
    assert (first, second) == ([3, 2, 5], [1, 1, 1])


@VARIANTS
def test_one_persons_rating_does_not_change_a_cell_that_few_rated(variant):
    """With at least two raters asked for, the rating of a single rater is nowhere in the group's averages."""
    low, high = ([[rating, 3], [None, 3], [None, 4]] for rating in (1, 5))
    factors = Factors(np.ones((3, 1), np.float32), np.full((2, 1), 2, np.float32), 5)
    told = [
        [
            codes.tolist()
            for _, codes, _ in Homogenization(
                survey(rows, 5).observable, factors, np.zeros(3, np.int64), variant, 2, SCALE.finer(50)
            ).codes()
        ]
        for rows in (low, high)
    ]
    assert told[0] == told[1]
