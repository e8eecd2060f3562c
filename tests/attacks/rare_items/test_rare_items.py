"""The attacks rare-rater and rare-rating, against looking at every column by hand; and what they find in releases."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import oracles
from attack_releases import FINE, ratings_of, releases
from shoal import road
from shoal.anonymizers import Predictive
from shoal.attacks import Exposure, Finding, RareRater, RareRating
from shoal.attacks.exposure import control_targets
from shoal.data import RatingMatrix, Ratings, Records, Scale, Vocabulary
from shoal.errors import WordingError
from shoal.models import KAnonymity
from shoal.randomness import Randomness

FEW = [(1, None), (2, None), (1, 2), (2, 3)]


def profiles_of(records: Records) -> list:
    assert isinstance(records, Ratings)
    return oracles.profiles(records)


def looked_at(exposure: Exposure, fewest: int, most: int | None) -> list[tuple[int, int]]:
    """Who is a target and by which item: the published raters of items with so many raters."""
    rows = profiles_of(exposure.truth)
    items = range(len(rows[0]) if rows else 0)
    raters = {item: [p for p, row in enumerate(rows) if row[item] is not None] for item in items}
    shown = {item: [p for p in raters[item] if exposure.place[p] >= 0] for item in items}
    able = [item for item in items if shown[item] and len(raters[item]) >= fewest]
    limit = most if most is not None else min((len(raters[item]) for item in able), default=0)
    chosen = [item for item in able if len(raters[item]) <= limit]
    return sorted((person, item) for item in chosen for person in shown[item])


def outstanding(exposure: Exposure, item: int) -> list[int]:
    """The published rows whose cell is farthest from the average of their row; none where all are."""
    rows = profiles_of(exposure.seen)
    far = {}
    for number, row in enumerate(rows):
        held = [cell for cell in row if cell is not None]
        if row[item] is not None:
            far[number] = abs(row[item] - Fraction(sum(held)) / len(held))
    found = [number for number, distance in far.items() if distance == max(far.values())]
    return [] if len(found) == len(rows) else found


def nearest(value: Fraction) -> int:
    return math.floor(value + Fraction(1, 2))


def chance_to_find(exposure: Exposure, person: int, item: int) -> Fraction:
    found, people = outstanding(exposure, item), exposure.people.tolist()
    if not found:
        return Fraction(1, sum(people))
    return Fraction(1, sum(people[row] for row in found)) if exposure.place[person] in found else Fraction(0)


def chance_to_read(exposure: Exposure, rating: Fraction, found: list[int], item: int) -> Fraction:
    rows, people = profiles_of(exposure.seen), exposure.people.tolist()
    if found:
        right = sum(people[row] for row in found if nearest(rows[row][item]) == rating)
        return Fraction(right, sum(people[row] for row in found))
    cells = [(cell, n) for row, n in zip(rows, people, strict=True) for cell in row if cell is not None]
    if not cells:
        return Fraction(1, 5)
    return Fraction(nearest(Fraction(sum(cell * n for cell, n in cells)) / sum(n for _, n in cells)) == rating)


@pytest.mark.parametrize(("fewest", "most"), FEW)
@settings(max_examples=60, deadline=None)
@given(exposure=releases())
def test_every_rate_is_that_of_looking_by_hand(exposure: Exposure, fewest: int, most: int | None) -> None:
    targets = looked_at(exposure, fewest, most)
    rows = profiles_of(exposure.truth)
    finder, reader = RareRater(fewest, most), RareRating(fewest, most)
    if not targets:
        assert finder.misfit(exposure) is not None
        assert reader.misfit(exposure) is not None
        return
    found = finder._run(exposure, Randomness(3))
    assert found.main == pytest.approx([float(chance_to_find(exposure, *target)) for target in targets])
    assert found.baseline == pytest.approx(1 / sum(exposure.people.tolist()))
    others = control_targets(np.arange(len(targets)), Randomness(3).generator("rare-rater"))
    mistaken = [chance_to_find(exposure, targets[a][0], targets[b][1]) for a, b in enumerate(others)]
    assert found.control == pytest.approx([float(chance) for chance in mistaken])
    read = reader._run(exposure, Randomness(3))
    ratings = [rows[person][item] for person, item in targets]
    columns = [outstanding(exposure, item) for _, item in targets]
    assert read.main == pytest.approx(
        [
            float(chance_to_read(exposure, rating, column, item))
            for rating, column, (_, item) in zip(ratings, columns, targets, strict=True)
        ]
    )
    guessed = [chance_to_read(exposure, rating, [], 0) for rating in ratings]
    assert read.baseline == pytest.approx(float(sum(guessed) / len(guessed)))
    others = control_targets(np.arange(len(targets)), Randomness(3).generator("rare-rating"))
    mistaken = [
        chance_to_read(exposure, rating, columns[other], targets[other][1])
        for rating, other in zip(ratings, others, strict=True)
    ]
    assert read.control == pytest.approx([float(chance) for chance in mistaken])


def average_of(exposure: Exposure, item: int) -> Fraction | None:
    """The average of an item's published cells, by people."""
    rows, people = profiles_of(exposure.seen), exposure.people.tolist()
    held = [(row[item], n) for row, n in zip(rows, people, strict=True) if row[item] is not None]
    return Fraction(sum(cell * n for cell, n in held)) / sum(n for _, n in held) if held else None


def chance_by(exposure: Exposure, cell: Fraction | None, rating: Fraction) -> Fraction:
    return chance_to_read(exposure, rating, [], 0) if cell is None else Fraction(nearest(cell) == rating)


@pytest.mark.parametrize(("fewest", "most"), FEW)
@settings(max_examples=60, deadline=None)
@given(exposure=releases())
def test_own_profiles_are_read_as_by_hand(exposure: Exposure, fewest: int, most: int | None) -> None:
    targets = looked_at(exposure, fewest, most)
    reader = RareRating(fewest, most, profile="own")
    if not targets:
        assert reader.misfit(exposure) is not None
        return
    truth, seen = profiles_of(exposure.truth), profiles_of(exposure.seen)
    found = reader._run(exposure, Randomness(3))
    own = [exposure.place[person] for person, _ in targets]
    cells = [seen[row][item] for row, (_, item) in zip(own, targets, strict=True)]
    ratings = [truth[person][item] for person, item in targets]
    read = [chance_by(exposure, cell, rating) for cell, rating in zip(cells, ratings, strict=True)]
    assert found.main == pytest.approx([float(chance) for chance in read])
    averages = [average_of(exposure, item) for _, item in targets]
    guessed = [chance_by(exposure, mean, rating) for mean, rating in zip(averages, ratings, strict=True)]
    assert found.baseline == pytest.approx(float(sum(guessed) / len(guessed)))
    others = control_targets(np.arange(len(targets)), Randomness(3).generator("rare-rating"))
    mistaken = [chance_by(exposure, seen[own[a]][targets[b][1]], ratings[a]) for a, b in enumerate(others)]
    assert found.control == pytest.approx([float(chance) for chance in mistaken])
    worst: dict[int, int] = {}
    for number, (_, item) in enumerate(targets):
        if cells[number] is None:
            continue
        before = worst.get(item)
        if before is None or abs(cells[number] - averages[number]) > abs(cells[before] - averages[before]):
            worst[item] = number
    assert found.details["worst_raters"] == len(worst)
    chosen = list(worst.values())
    for name, chances in (("worst_raters_read", read), ("worst_raters_read_by_guessing", guessed)):
        expected = sum(chances[number] for number in chosen) / max(len(chosen), 1)
        assert found.details[name] == pytest.approx(float(expected))


def test_a_profile_that_follows_its_member_is_read_by_who_knows_it() -> None:
    """Three raters of the first item; the profile of the first says 4.5 where the others say 3."""
    truth = ratings_of([[5, 2], [None, 2], [3, 3], [None, 2], [2, 3], [None, 4]])
    seen = ratings_of([[Fraction(9, 2), 2], [3, 3], [3, 4]], FINE, [2, 2, 2])
    exposure = Exposure(truth, seen, np.array([0, 0, 1, 1, 2, 2]), (KAnonymity(2),))
    found = RareRating(fewest=3, most=3, profile="own").run(exposure, Randomness(1))
    assert (found.targets, found.main) == (3, pytest.approx(2 / 3))
    assert (found.details["worst_raters"], found.details["worst_raters_read"]) == (1, 1)
    assert RareRating.usual(exposure) == (RareRating(), RareRating(fewest=2, most=10, profile="own"))
    assert str(RareRating(fewest=3, profile="own")) == "rare-rating:fewest=3,profile=own"


def test_a_column_that_follows_one_rating_gives_rater_and_rating_away() -> None:
    """Of three profiles for two people each, the second says 4.5 where it otherwise says 2."""
    truth = ratings_of([[None, 3], [None, 3], [5, 2], [None, 2], [None, 3], [None, 4]])
    seen = ratings_of([[3, 3, 3], [Fraction(9, 2), 2, 2], [3, 4, 3]], FINE, [2, 2, 2])
    truth = ratings_of([[*row, None] for row in oracles.profiles(truth)])
    exposure = Exposure(truth, seen, np.array([0, 0, 1, 1, 2, 2]))
    found = RareRater().run(exposure, Randomness(1))
    assert (found.targets, found.main, found.baseline) == (1, 1 / 2, pytest.approx(1 / 6))
    assert found.details["own_profile_is_taken"] == 1
    assert found.details["own_profile_is_taken_by_guessing"] == pytest.approx(1 / 3)
    assert RareRating().run(exposure, Randomness(1)).main == 1


def test_an_item_that_is_left_out_tells_nothing() -> None:
    truth = ratings_of([[5, 3], [None, 3], [None, 2]])
    seen = ratings_of([[None, 3], [None, 2]], FINE, [2, 1])
    exposure = Exposure(truth, seen, np.array([0, 0, 1]))
    for attack in (RareRater(), RareRating()):
        found = attack.run(exposure, Randomness(1))
        assert found.main == found.baseline == found.control
        assert found.details["share_of_items_published"] == 0


def test_so_many_targets_are_drawn() -> None:
    exposure = Exposure.of_itself(ratings_of([[1 + i % 5, i // 5 + 1] for i in range(20)]))
    assert RareRater(targets=6).run(exposure, Randomness(1)).targets == 6
    assert RareRating(targets=100).run(exposure, Randomness(1)).targets == 40


def test_what_cannot_be_looked_at_is_said() -> None:
    profiles = ratings_of([[3], [4]], FINE, [2, 2])
    assert "only in the ledger" in (RareRater().misfit(Exposure.of_itself(profiles)) or "")
    some = Exposure.of_itself(ratings_of([[3], [4]]))
    assert "with that number of raters" in (RareRating(fewest=3).misfit(some) or "")
    for wrong in ({"fewest": 0}, {"fewest": 3, "most": 2}, {"targets": 0}):
        with pytest.raises(WordingError):
            RareRater(**wrong)


def test_the_usual_attackers_look_one_step_up_where_a_k_is_promised() -> None:
    exposure = Exposure.of_itself(ratings_of([[3], [4]]), promises=(KAnonymity(5),))
    assert RareRater.usual(exposure) == (RareRater(), RareRater(fewest=5, most=9))
    assert RareRater.usual(Exposure.of_itself(ratings_of([[3], [4]]))) == (RareRater(),)


# ── releases ──────────────────────────────────────────────────────────────────────────────────────────────────────

K = 5


def with_rare_items(seed: int, people: int = 240, common: int = 40, rare: int = 80) -> Ratings:
    """People of different tastes, items that many rated, and as many items with one rater and with K."""
    rng = np.random.default_rng(seed)
    taste = rng.normal(size=(people, 3))
    codes = np.full((people, common + 2 * rare), -1, np.int32)
    opinions = np.clip(np.rint(2 + taste @ rng.normal(size=(3, codes.shape[1]))), 0, 4).astype(np.int32)
    popular = rng.random((people, common)) < 0.4
    codes[:, :common][popular] = opinions[:, :common][popular]
    for number in range(rare):
        one, some = rng.integers(people), rng.choice(people, K, replace=False)
        codes[one, common + number] = rng.integers(0, 5)
        codes[some, common + rare + number] = opinions[some, common + rare + number]
    items = Vocabulary(pl.Series([f"item {number}" for number in range(codes.shape[1])]))
    return Ratings(
        Vocabulary.numbered(people),
        RatingMatrix.from_dense(items, codes),
        RatingMatrix.empty(people),
        Scale.of(1, 5),
    )


def attacked(data: Ratings, method: Predictive, seed: int) -> tuple[Finding, Finding, Finding]:
    release, ledger = road.publish(data, [KAnonymity(K)], method, randomness=Randomness(seed))
    place = np.full(len(data), -1, np.int64)
    assert ledger.places is not None
    place[ledger.origins] = ledger.places
    exposure = Exposure(data, release.records, place, (KAnonymity(K),))
    finder, reader = RareRater(), RareRating()
    one_step_up = RareRater(fewest=K, most=2 * K - 1)
    return tuple(attack.run(exposure, Randomness(seed)) for attack in (finder, reader, one_step_up))  # pyright: ignore


@pytest.mark.parametrize("variant", ["predicted", "padded"])
@pytest.mark.parametrize("seed", [1, 2])
def test_rare_items_give_their_raters_away_unless_they_are_left_out(variant, seed) -> None:
    data = with_rare_items(seed)
    finder, reader, _ = attacked(data, Predictive(variant=variant, min_item_raters=1), seed)
    assert finder.details["own_profile_is_taken"] > 4 * finder.details["own_profile_is_taken_by_guessing"]
    assert reader.interval[0] > reader.baseline
    assert reader.details["correlation_with_the_average_of_the_item"] > 0.6
    finder, reader, one_step_up = attacked(data, Predictive(variant=variant), seed)
    for found in (finder, reader):
        assert found.main == pytest.approx(found.baseline)
    assert one_step_up.interval[0] <= one_step_up.baseline, "one step up nothing is gained either"
