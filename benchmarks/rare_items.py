"""What the columns of rare items tell of their raters, on a quarter of the people of MovieLens 100K and 1M.

For each way to make profiles in groups of 5: without protection (``min_item_raters=1``) and as is usual. The attacks
``rare-rater`` and ``rare-rating`` look at items with one rater, and the former one step up, at items with 5 to 9.
Where the attacker knows the target's profile, ``rare-rating:profile=own`` reads its cell, of items with 5 to 25 raters.

*Designed*: 80 people with one taste or its opposite, 100 of no taste who rated little, and 40 items that one of the
former rated, by lot, and all others of the latter: the worst case for a fit, because whatever differs between people is
learned from one rating. Told is how that rating goes together with the cell of the rater's own profile.

Beside MovieLens stand generated ratings. Needs the data sets beside the project for the former.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED
from shoal import road
from shoal.anonymizers import Predictive
from shoal.attacks import Exposure, RareRater, RareRating
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.datasets import generate_ratings
from shoal.io import RatingsSchema
from shoal.models import BLDiversity, KAnonymity, PrivacyModel
from shoal.randomness import Randomness

K = 5
DESIGNED = (9, 10, 20)
SEEDS = (1, 2, 3)
DATA = {"ml-100k": SHARED / "ratings/ml-100k/u.data", "ml-1m": SHARED / "ratings/ml-1m/ratings.dat.gz"}
PROMISES: tuple[PrivacyModel, ...] = (KAnonymity(K),)
DIVERSE: tuple[PrivacyModel, ...] = (KAnonymity(K), BLDiversity(1, K))
WAYS = (("predicted", PROMISES), ("padded", PROMISES), ("simple", PROMISES), ("simple", DIVERSE))


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Attack releases before and after, and give the means of three quarters."""
    points = []
    for name, records in _data().items():
        for variant, promises in WAYS:
            for fewest in (1, None):
                method = Predictive(variant=variant, min_item_raters=fewest)  # pyright: ignore[reportArgumentType]
                found = [_point(_quarter(records, seed), method, promises, seed) for seed in SEEDS]
                mean = {key: round(float(np.mean([each[key] for each in found])), 4) for key in found[0]}
                named = {"data": name, "method": str(method), "promises": " ".join(map(str, promises))}
                points.append(named | mean)
                print(points[-1], flush=True)
    published = {}
    for point in points:
        if point["method"].startswith("predictive:variant=predicted"):
            when = "before" if "min_item_raters" in point["method"] else "after"
            published |= {f"{point['data']}_{when}_{key}": point[key] for key in _TOLD}
    designed = [_designed_point(raters, fewest) for raters in DESIGNED for fewest in (1, None)]
    for point in designed:
        when = "before" if "min_item_raters" in point["method"] else "after"
        published |= {f"designed_{point['raters']}_{when}_{key}": point[key] for key in ("correlation", "rating_exact")}
    return {**published, "designed": designed, "points": points}


def _designed_point(raters: int, fewest: int | None) -> dict[str, Any]:
    """Read the rating of the one person with a taste from the cell of that person's profile; means of the seeds."""
    method, found = Predictive(min_item_raters=fewest), []
    for seed in SEEDS:
        records, people, items = _designed(seed, raters)
        release, ledger = road.publish(records, PROMISES, method, randomness=Randomness(seed))
        assert isinstance(release.records, Ratings)
        assert ledger.places is not None
        place = np.empty(len(records), np.int64)
        place[ledger.origins] = ledger.places
        scale, cells = release.records.scale, release.records.observable.dense()[place[people], items]
        read = float(scale.lowest) + cells * float(scale.step)
        given = records.observable.dense()[people, items] + 1
        found.append((np.corrcoef(read, given)[0, 1], np.mean(np.floor(read + 0.5) == given)))
    correlation, exact = (round(float(each), 4) for each in np.mean(found, axis=0))
    point = {"raters": raters, "method": str(method), "correlation": correlation, "rating_exact": exact}
    print(point, flush=True)
    return point


def _designed(seed: int, raters: int) -> tuple[Ratings, np.ndarray, np.ndarray]:
    """Make the data, and give of each rare item the one person with a taste who rated it, and the item."""
    rng = np.random.default_rng(seed)
    codes = np.full((180, 80), -1, np.int32)
    taste = rng.choice([-1, 1], 80) * rng.uniform(0.3, 1, 80)
    opinions = 2 + np.outer(taste, np.where(np.arange(40) % 2, 2, -2)) + rng.normal(0, 0.3, (80, 40))
    codes[:80, :40] = np.where(rng.random((80, 40)) < 0.6, np.clip(np.rint(opinions), 0, 4), -1)
    for person in range(80, 180):
        codes[person, rng.choice(40, 2, replace=False)] = rng.choice([1, 2, 2, 2, 3], 2)
    people, items = rng.integers(0, 80, 40), np.arange(40, 80)
    for person, item in zip(people, items, strict=True):
        codes[person, item] = rng.integers(0, 5)
        codes[rng.choice(np.arange(80, 180), raters - 1, replace=False), item] = rng.integers(1, 4, raters - 1)
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(80), codes)
    return Ratings(Vocabulary.numbered(180), matrix, RatingMatrix.empty(180), Scale.of(1, 5)), people, items


_TOLD = ("correlation", "rating_exact", "rating_guessed", "profile_found", "profile_guessed")


def _data() -> dict[str, Ratings]:
    found: dict[str, Ratings] = {}
    for name, file in DATA.items():
        if file.exists():
            records = shoal.read(file, RatingsSchema(layout="movielens", scale=(1, 5))).records
            assert isinstance(records, Ratings)
            found[name] = records
    return {**found, "generated": generate_ratings(4_000, 3_000, 300_000, seed=1)}


def _quarter(records: Ratings, seed: int) -> Ratings:
    chosen = np.random.default_rng(seed).choice(len(records), len(records) // 4, replace=False)
    return records.take(np.sort(chosen))


def _point(records: Ratings, method: Predictive, promises: tuple[PrivacyModel, ...], seed: int) -> dict[str, float]:
    release, ledger = road.publish(records, promises, method, randomness=Randomness(seed))
    assert isinstance(release.records, Ratings)
    place = np.full(len(records), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins)) if ledger.places is None else ledger.places
    exposure = Exposure(records, release.records, place, promises)
    attackers = RareRater(), RareRating(), RareRater(K, 2 * K - 1), RareRating(K, 5 * K, profile="own")
    finder, reader, higher, knowing = (attack.run(exposure, Randomness(seed)) for attack in attackers)
    return {
        "profiles": len(release.records),
        "items_left_out": ledger.report.get("items left out", 0),
        "share_of_ratings_left_out": ledger.report.get("ratings of items left out", 0) / records.n_ratings,
        "targets": finder.targets,
        "correlation": reader.details["correlation_with_the_average_of_the_item"],
        "rating_exact": reader.main,
        "rating_guessed": reader.baseline,
        "rating_control": reader.control,
        "profile_found": finder.details["own_profile_is_taken"],
        "profile_guessed": finder.details["own_profile_is_taken_by_guessing"],
        "profile_control": finder.details["own_profile_is_taken_by_control"],
        "person_found": finder.main,
        "person_guessed": finder.baseline,
        "own_profile_exact": knowing.main,
        "own_profile_by_average": knowing.baseline,
        "own_profile_worst_exact": knowing.details["worst_raters_read"],
        "own_profile_worst_by_average": knowing.details["worst_raters_read_by_guessing"],
        "one_step_up_targets": higher.targets,
        "one_step_up_profile_found": higher.details["own_profile_is_taken"],
        "one_step_up_profile_guessed": higher.details["own_profile_is_taken_by_guessing"],
        "one_step_up_profile_control": higher.details["own_profile_is_taken_by_control"],
    }
