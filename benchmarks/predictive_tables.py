"""Tables 1 to 3 of Predictive Anonymization on MovieLens 1M and on the generated Netflix Prize shape, with the paper's.

A share of the ratings is held out (a tenth; of the Netflix shape as many as the probe set had) and profiles are made of
the others. *Table 1*: root mean square errors of the profile that stands for a user. *Table 2*: how many cells hold
which rating before and after. *Table 3*: errors of the profile nearest to what is left of a user's ratings, for a
sample of users. Null is read as the item's mean, and as 0, as the paper must have read it. The generated ratings are
not those of the Netflix Prize: what compares is before and after, not the numbers with the paper's.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from held_out import held_out, item_means
from measuring import SHARED
from shoal.anonymizers import Predictive
from shoal.data import Ratings
from shoal.datasets import write_generated
from shoal.engines import LocalEngine
from shoal.io import RatingsSchema
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.utility import Comparison
from shoal.utility.ratings.items import rating_histograms

METHODS = (
    Predictive(),
    Predictive(variant="padded", min_raters=1),
    Predictive(variant="simple", min_raters=1),
)
"""Ours, and the paper's own two, in which one rater is enough."""
USERS = 500
PAPER = {
    "table_1": {
        "original": 0.951849,
        "padded_5": 0.9597,
        "padded_50": 0.95871,
        "simple_5": 2.36947,
        "simple_50": 2.3771,
    },
    "table_2": {"before": [98.84, 0.053, 0.117, 0.334, 0.390, 0.267], "after": [0, 0.79, 14.12, 46.71, 33.49, 4.89]},
    "table_3": {"padded_50": 1.00563, "simple_50": 1.17525},
}


def main(folder: Path) -> dict[str, Any]:
    """Return a line for each data set, method and k."""
    points = []
    if (SHARED / "ratings/ml-1m").is_dir():
        source = shoal.read(SHARED / "ratings/ml-1m/ratings.dat.gz", RatingsSchema(layout="movielens", scale=(1, 5)))
        points += _points("ml-1m", source.records, 0.1, (5, 50))
    data = folder / "netflix.parquet"
    if not data.exists():
        write_generated("ratings", data, users=480_189, items=17_770, ratings=100_480_507, seed=1)
    points += _points("Netflix shape", shoal.read(data).records, 1_408_395 / 100_480_507, (50,))
    return {"paper": PAPER, "points": points}


def _points(name: str, records: object, share: float, sizes: tuple[int, ...]) -> list[dict[str, Any]]:
    assert isinstance(records, Ratings)
    given, (users, items, codes) = held_out(records, share, seed=1)
    cells = users, items, records.scale.decode(codes)
    return [_point(name, given, cells, method, k) for k in sizes for method in METHODS]


def _point(name: str, given: Ratings, cells: tuple[np.ndarray, ...], method: Predictive, k: int) -> dict[str, Any]:
    recoding = method.recode(given, [KAnonymity(k)], LocalEngine(), Randomness(1))
    profiles, own = recoding.records, recoding.stands_for
    assert isinstance(profiles, Ratings)
    assert own is not None
    published = _dense(profiles)
    before, after = rating_histograms(Comparison(given, np.arange(len(given)), profiles, np.bincount(own), places=own))
    nearest = _nearest(given, published)
    asked = np.isin(cells[0], list(nearest))
    similar = np.array([nearest[user] for user in cells[0][asked].tolist()])
    means = item_means(given)
    point = {
        "data": name,
        "method": str(method),
        "k": k,
        "profiles": len(profiles),
        "table_1_rmse": _errors(published[own[cells[0]], cells[1]], cells[2], means[cells[1]]),
        "table_2_percent_before": _percent(before),
        "table_2_percent_after": _percent(after),
        "table_3_rmse": _errors(published[similar, cells[1][asked]], cells[2][asked], means[cells[1][asked]]),
        "table_3_users": len(nearest),
    }
    print(point, flush=True)
    return point


def _dense(profiles: Ratings) -> np.ndarray:
    """Return ratings, profiles × items, NaN where there is none: float32."""
    matrix = profiles.observable
    published = np.full((len(matrix), len(matrix.items)), np.nan, np.float32)
    for row in range(len(matrix)):
        here = slice(matrix.indptr[row], matrix.indptr[row + 1])
        published[row, matrix.indices[here]] = profiles.scale.decode(matrix.codes[here])
    return published


def _nearest(given: Ratings, published: np.ndarray) -> dict[int, int]:
    """Return, for some users, the profile nearest to their ratings; null is one step below the lowest rating."""
    matrix = given.observable
    chosen = np.random.default_rng(2).choice(len(matrix), min(USERS, len(matrix)), replace=False)
    below = float(given.scale.lowest - given.scale.step)
    found = {}
    for user in chosen.tolist():
        here = slice(matrix.indptr[user], matrix.indptr[user + 1])
        theirs = np.nan_to_num(published[:, matrix.indices[here]], nan=below)
        found[user] = int(((theirs - given.scale.decode(matrix.codes[here])) ** 2).sum(axis=1).argmin())
    return found


def _errors(predicted: np.ndarray, ratings: np.ndarray, means: np.ndarray) -> dict[str, float]:
    by_mean = np.where(np.isnan(predicted), means, predicted) - ratings
    by_zero = np.nan_to_num(predicted, nan=0) - ratings
    return {
        name: round(float(np.sqrt(np.mean(error**2))), 4) for name, error in (("rmse", by_mean), ("null_as_0", by_zero))
    }


def _percent(counts: np.ndarray) -> list[float]:
    return [round(float(share), 3) for share in 100 * counts / counts.sum()]
