"""What the columns of rare items tell of their raters, on a quarter of the people of MovieLens 100K and 1M.

For each way to make profiles in groups of 5: without protection (``min_item_raters=1``) and as is usual. The attacks
``rare-rater`` and ``rare-rating`` look at items with one rater, and the former one step up, at items with 5 to 9.
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
from shoal.data import Ratings
from shoal.datasets import generate_ratings
from shoal.io import RatingsSchema
from shoal.models import BLDiversity, KAnonymity, PrivacyModel
from shoal.randomness import Randomness

K = 5
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
    told = {}
    for point in points:
        if point["method"].startswith("predictive:variant=predicted"):
            when = "before" if "min_item_raters" in point["method"] else "after"
            told |= {f"{point['data']}_{when}_{key}": point[key] for key in _TOLD}
    return {**told, "points": points}


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
    finder, reader, higher = (
        attack.run(exposure, Randomness(seed)) for attack in (RareRater(), RareRating(), RareRater(K, 2 * K - 1))
    )
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
        "one_step_up_targets": higher.targets,
        "one_step_up_profile_found": higher.details["own_profile_is_taken"],
        "one_step_up_profile_guessed": higher.details["own_profile_is_taken_by_guessing"],
        "one_step_up_profile_control": higher.details["own_profile_is_taken_by_control"],
    }
