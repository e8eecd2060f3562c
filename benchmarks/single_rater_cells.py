"""How many cells of homogenized profiles have one real rater, and what is read off them, on MovieLens 100K.

For groups of 5 and of 50 and each way to make profiles: the attack ``single-rater`` on the release with its ledger. The
figures to compare with are 74 % of cells with one rater where ratings alone are averaged in groups of 5, and 29 % in
groups of 50. How many they are depends on the groups and on how many ratings are in them, so beside the method's groups
stand groups drawn at random, and beside all ratings nine tenths of them, as are left where a tenth is held out. Needs
the data set beside the project.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from experiments.held_out import held_out
from measuring import SHARED, measured
from shoal import road
from shoal.anonymizers import Predictive
from shoal.attacks import Exposure, SingleRater
from shoal.data import Ratings
from shoal.io import RatingsSchema
from shoal.models import KAnonymity
from shoal.randomness import Randomness

DATA = SHARED / "ratings/ml-100k/u.data"
METHODS = (
    Predictive(variant="simple", min_raters=1),
    Predictive(variant="simple"),
    Predictive(variant="padded", min_raters=1),
    Predictive(variant="padded"),
    Predictive(),
)


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Publish by each method, and read the profiles."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    records = shoal.read(DATA, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    SingleRater().run(Exposure.of_itself(records.take(np.arange(50))), Randomness(1))  # compiled
    fewer, _ = held_out(records, 0.1, 0)
    cells = [
        {
            "k": k,
            "ratings": each.n_ratings,
            "one_rater_in_groups_of_the_method": _point(each, k, METHODS[0])["share_of_cells_with_one_rater"],
            "one_rater_in_groups_at_random": round(_share_in_random_groups(each, k), 4),
        }
        for k in (5, 50)
        for each in (records, fewer)
    ]
    return {"cells": cells, "points": [_point(records, k, method) for k in (5, 50) for method in METHODS]}


def _share_in_random_groups(records: Ratings, k: int) -> float:
    matrix = records.observable
    groups = np.random.default_rng(1).permutation(len(records)) // k
    owners = np.repeat(groups, np.diff(matrix.indptr))
    raters = np.unique(owners * len(matrix.items) + matrix.indices, return_counts=True)[1]
    return float(np.mean(raters == 1))


def _point(records: Ratings, k: int, method: Predictive) -> dict[str, Any]:
    release, ledger = road.publish(records, [KAnonymity(k)], method, randomness=Randomness(1))
    place = np.full(len(records), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins)) if ledger.places is None else ledger.places
    exposure = Exposure(records, release.records, place, (KAnonymity(k),))
    found, seconds, _ = measured(lambda: SingleRater().run(exposure, Randomness(1)))
    return {
        "k": k,
        "method": str(method),
        "success": round(found.main, 4),
        "baseline": round(found.baseline, 4),
        "control": round(found.control, 4),
        **{name: round(value, 4) for name, value in found.details.items()},
        "attack_seconds": round(seconds, 3),
    }
