"""(b,l)-diversity of profiles that do not hold every item: what is promised holds, and what is added is made up."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import road
from shoal.anonymizers import Predictive
from shoal.anonymizers.predictive.diverse_cells import diverse_cells
from shoal.anonymizers.predictive.homogenization import rated_cells
from shoal.anonymizers.predictive.size_constrained_kmeans import size_constrained_kmeans
from shoal.data import RatingMatrix, Ratings, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import GuaranteeError, PromiseNotKept
from shoal.models import BLDiversity, KAnonymity
from shoal.randomness import Randomness
from shoal.testing.strategies import ratings as drawn_ratings
from surveys import survey

PARTIAL = pytest.mark.parametrize(
    "method",
    [
        Predictive(variant="simple"),
        Predictive(boost=Fraction(1, 3)),
        Predictive(variant="padded", boost=Fraction(1, 2)),
    ],
    ids=str,
)


def sparse(n: int, items: int, seed: int = 1, share: float = 1 / 5) -> Ratings:
    """Build a survey in which so many cells are rated, the first items less often."""
    rng = np.random.default_rng(seed)
    rated = rng.random((n, items)) < share * np.linspace(0.2, 1.8, items)
    drawn = rng.integers(1, 6, (n, items))
    return survey(
        [[int(a) if b else None for a, b in zip(*row, strict=True)] for row in zip(drawn, rated, strict=True)], 5
    )


def fewest_places(held: np.ndarray, place: np.ndarray, b: int) -> int:
    """How many places hold the set of one to b columns held by some row that is held at the fewest."""
    counts = [
        len(set(place[held[:, some].all(axis=1)]))
        for size in range(1, b + 1)
        for some in combinations(range(held.shape[1]), size)
    ]
    return min((count for count in counts if count), default=len(held))


# ── cells ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    n_groups=st.integers(0, 12),
    n_items=st.integers(1, 10),
    b=st.integers(1, 3),
    l=st.integers(2, 5),
    places=st.integers(1, 20),
)
def test_sets_of_items_are_held_at_enough_points_and_nothing_is_taken_away(
    seed,
    n_groups,
    n_items,
    b,
    l,  # noqa: E741
    places,
) -> None:
    """Groups at the same point will be published alike."""
    rng = np.random.default_rng(seed)
    held = rng.random((n_groups, n_items)) < 0.3 * rng.random(n_items)
    place = rng.integers(0, places, n_groups)
    points = rng.normal(size=(places, 2)).astype(np.float32)[place]
    cells = diverse_cells(np.packbits(held, axis=1), points, b, l, np.random.default_rng(1))
    made = np.unpackbits(cells, axis=1).astype(bool)
    assert not made[:, n_items:].any()
    made = made[:, :n_items]
    assert (made >= held).all()
    assert (made.any(axis=0) == held.any(axis=0)).all(), "what nobody holds stays so"
    if len(set(place)) < l:
        assert (made == held).all()
        return
    assert fewest_places(made, place, b) >= l
    if b == 1:
        enough = np.array([len(set(place[column])) >= l for column in held.T])
        assert (made[:, enough] == held[:, enough]).all(), "what enough hold is not added to"


@pytest.mark.parametrize("b", [1, 2])
def test_no_group_of_a_circle_is_told_from_the_others_by_a_rare_item(b) -> None:
    rng = np.random.default_rng(5)
    held = rng.random((60, 30)) < 0.04
    points = rng.normal(size=(60, 3)).astype(np.float32)
    made = np.unpackbits(diverse_cells(np.packbits(held, axis=1), points, b, 4, np.random.default_rng(1)), axis=1)
    different, place = np.unique(points, axis=0, return_inverse=True)
    circles = size_constrained_kmeans(different, 4, np.random.default_rng(1))[place]
    rare = (held.sum(axis=0) > 0) & (held.sum(axis=0) < 4)
    assert rare.any()
    for circle in range(circles.max() + 1):
        profiles = made[circles == circle][:, :30]
        assert (profiles[:, rare] == profiles[0, rare]).all()
        assert b == 1 or (profiles == profiles[0]).all()


@given(seed=st.integers(0, 2**32), n_items=st.integers(1, 20), n_groups=st.integers(1, 5))
def test_rated_cells_are_those_that_any_member_rated(seed, n_items, n_groups) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, 9)]))
    codes = rng.integers(-1, 3, (len(labels), n_items)) - rng.integers(0, 2, (len(labels), 1))
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(n_items), np.maximum(codes, -1))
    expected = [(codes[labels == group] >= 0).any(axis=0) for group in range(n_groups)]
    assert (np.unpackbits(rated_cells(matrix, labels), axis=1, count=n_items) == expected).all()


def test_rated_cells_are_found_in_blocks_too(monkeypatch) -> None:
    data, labels = sparse(30, 9), np.random.default_rng(1).permutation(30) % 7
    whole = rated_cells(data.observable, labels)
    monkeypatch.setattr("shoal.anonymizers.predictive.homogenization._CELLS", 20)
    assert (rated_cells(data.observable, labels) == whole).all()


# ── releases ──────────────────────────────────────────────────────────────────────────────────────────────────────


@PARTIAL
@settings(max_examples=40)
@given(
    data=drawn_ratings(min_records=4, max_records=14, max_items=5, max_sensitive=0),
    k=st.integers(2, 3),
    b=st.integers(1, 3),
    l=st.integers(2, 4),
)
def test_every_release_keeps_its_promises_or_is_refused(method, data: Ratings, k: int, b: int, l: int) -> None:  # noqa: E741
    models = [KAnonymity(k), BLDiversity(b, l)]
    try:
        release, ledger = road.publish(data, models, method, randomness=Randomness(1))
    except (PromiseNotKept, GuaranteeError):
        return
    assert isinstance(release.records, Ratings)
    assert ledger.places is not None
    assert oracles.holds(release.records, models[1])
    assert oracles.holds(release.records.of_each(ledger.places), models[0])


@PARTIAL
@pytest.mark.parametrize("b", [1, 2, 3])
@pytest.mark.parametrize("l", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_profiles_that_differ_are_made_diverse_and_published(method, b, l, seed) -> None:  # noqa: E741
    data, promise = sparse(60, 14, seed), BLDiversity(b, l)
    release, _ = road.publish(data, [KAnonymity(2), promise], method, randomness=Randomness(seed))
    assert isinstance(release.records, Ratings)
    assert oracles.holds(release.records, promise)


def test_what_is_rated_breaks_the_promise_if_nothing_is_added() -> None:
    """Otherwise nothing is shown by its being kept."""
    for seed in range(4):
        # items of few raters are not left out: who is in which group is drawn anew each time
        method = Predictive(variant="simple", min_item_raters=1)
        release, _ = road.publish(sparse(60, 14, seed), [KAnonymity(2)], method, randomness=Randomness(seed))
        assert isinstance(release.records, Ratings)
        assert not oracles.holds(release.records, BLDiversity(2, 2))
        assert not oracles.holds(release.records, BLDiversity(1, 5))


@pytest.mark.parametrize("variant", ["predicted", "padded"])
def test_complete_profiles_are_diverse_as_they_are(variant) -> None:
    data = sparse(40, 8)
    plain, diverse = (
        Predictive(variant=variant).recode(data, models, LocalEngine(), Randomness(1)).records
        for models in ([KAnonymity(3)], [KAnonymity(3), BLDiversity(4, 5)])
    )
    assert isinstance(plain, Ratings)
    assert isinstance(diverse, Ratings)
    assert oracles.profiles(plain) == oracles.profiles(diverse)
    assert oracles.holds(diverse, BLDiversity(3, 5))


def test_the_most_of_several_promises_is_kept() -> None:
    models = [BLDiversity(1, 9), BLDiversity(3, 2), KAnonymity(2)]
    data = sparse(50, 8, share=1 / 20)
    release, _ = road.publish(data, models, Predictive(variant="simple"), randomness=Randomness(1))
    assert isinstance(release.records, Ratings)
    assert all(oracles.holds(release.records, model) for model in models[:2])


def test_fewer_groups_than_profiles_asked_for_are_refused_by_the_road() -> None:
    with pytest.raises(PromiseNotKept):
        road.publish(sparse(20, 6), [KAnonymity(5), BLDiversity(1, 6)], Predictive(variant="simple"))


@pytest.mark.parametrize("min_raters", [1, None])
@pytest.mark.parametrize("b", [1, 2])
def test_what_is_added_is_predicted_and_the_rest_stays(b, min_raters) -> None:
    data = sparse(60, 14)

    def profiles(variant, *models):
        method = Predictive(variant=variant, min_raters=min_raters)
        recoding = method.recode(data, [KAnonymity(3), *models], LocalEngine(), Randomness(1))
        assert isinstance(recoding.records, Ratings)
        return oracles.profiles(recoding.records)

    predicted, plain, diverse = profiles("predicted"), profiles("simple"), profiles("simple", BLDiversity(b, 5))
    added = 0
    for row in zip(predicted, plain, diverse, strict=True):
        for guess, rated, published in zip(*row, strict=True):
            if rated is not None:
                assert published == rated
            elif published is not None:
                assert published == guess
                added += 1
    assert added > 0


def test_the_same_seed_and_secret_add_the_same_cells() -> None:
    models, method, chance = (
        [KAnonymity(3), BLDiversity(2, 4)],
        Predictive(boost=Fraction(1, 4)),
        Randomness(2, bytes(32)),
    )
    once, again = (road.publish(sparse(60, 14), models, method, randomness=chance)[0].records for _ in range(2))
    assert isinstance(once, Ratings)
    assert isinstance(again, Ratings)
    assert oracles.profiles(once) == oracles.profiles(again)
