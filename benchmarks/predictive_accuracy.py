"""How well published profiles predict held-out ratings of MovieLens 1M, beside the predictor; five splits of 90/10.

Profiles are made of nine ratings of ten, for groups of 5 and of 50, and read as they are published, rounded to their
scale. As in Predictive Anonymization, sections 7.2 and 7.4:

- *target deviation* is the root mean square error of the profile that stands for the user;
- *similar-user deviation* is that of the profile which is nearest to the ratings that are left of the user, whether it
  stands for them or not: by squared distance on the items the user rated, the first of equals;
- *self rank* is the place of the former among all profiles when they are ordered by that distance. Its histogram counts
  users by twentieths of the profiles.

With ``simple`` some cells are null. Where a prediction is null, the item's mean among the nine tenths is taken; with
*null as 0*, as the paper's numbers must have been made, it is 0. ``min_raters=1`` is the paper's own way, which
publishes single people's ratings.

Items that fewer than k people rated are left out of a release, and so are all predictions for them. What is called
*published* is of the held-out ratings of the other items alone, beside the predictor's error on the same ratings; all
else counts every held-out rating, with the item's mean among the nine tenths for items that are left out.

How much more the error is than the predictor's is reported twice: beside the predictor with the factors that the
profiles are made with, and beside the default predictor, which has more. The first says little alone: the less a
predictor knows of a user, the less grouping takes away. Needs the data set beside the project.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from held_out import held_out, item_means
from measuring import SHARED
from shoal.anonymizers import Predictive, Recoding
from shoal.data import Ratings
from shoal.engines import LocalEngine
from shoal.io import RatingsSchema
from shoal.models import KAnonymity
from shoal.predictors import predictors
from shoal.randomness import Randomness
from shoal.utility import MEASURES, Comparison
from shoal.utility.ratings.profile_ranks import profile_distances, self_rank_histogram

DATA = SHARED / "ratings/ml-1m/ratings.dat.gz"
SEEDS = (1, 2, 3, 4, 5)
SIZES = (5, 50)
METHODS = (
    Predictive(),
    Predictive(variant="padded"),
    Predictive(variant="padded", min_raters=1),
    Predictive(variant="simple"),
    Predictive(variant="simple", min_raters=1),
    Predictive(predictor="als:factors=8"),
    Predictive(predictor="als:factors=16"),
)
PAPER = {
    "data": "the Netflix Prize and its probe set",
    "original": 0.951849,
    "target_padded": {"5": 0.95970, "50": 0.95871},
    "target_simple": {"5": 2.36947, "50": 2.3771},
    "similar_padded": {"50": 1.00563},
    "similar_simple": {"50": 1.17525},
}


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Publish nine ratings of ten by each variant, and give the errors on the others, in stars."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    records = shoal.read(DATA, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    points = [point for seed in SEEDS for point in _points(records, seed)]
    means = [_mean(points, str(method), k) for method in METHODS for k in SIZES]
    best = {mean["k"]: mean for mean in means if mean["method"] == str(METHODS[0])}
    named = {"rmse": "target", "more_percent": "target_more_percent"}
    named |= {"more_than_default_percent": "target_more_than_default_percent"}
    named |= {"published_rmse": "target_published", "published_more_percent": "target_published_more_percent"}
    named |= {"published_share": "published"}
    return {
        "default_predictor_rmse": best[SIZES[0]]["default_predictor"],
        "predictor_rmse": best[SIZES[0]]["predictor"],
        **{f"predicted_{k}_{name}": mean[which] for k, mean in best.items() for name, which in named.items()},
        "means": means,
        "paper": PAPER,
        "points": points,
    }


def _points(records: Ratings, seed: int) -> list[dict[str, Any]]:
    """Split the ratings as predictor_accuracy does, and publish the greater part by each method."""
    given, cells = held_out(records, 0.1, seed)
    alone: dict[str, np.ndarray] = {}
    for predictor in {"als", *(method.predictor for method in METHODS)}:
        fitted = predictors.read(predictor).fit(given.observable, given.scale, Randomness(seed))
        alone[predictor] = fitted.predict(*cells[:2]) - cells[2]
    points = []
    for method in METHODS:
        for k in SIZES:
            recoding = method.recode(given, [KAnonymity(k)], LocalEngine(), Randomness(seed))
            point = {"method": str(method), "k": k, "seed": seed}
            point |= {"predictor": _rmse(alone[method.predictor]), "default_predictor": _rmse(alone["als"])}
            points.append(point | _errors(given, recoding, cells, alone[method.predictor]))
            print(points[-1], flush=True)
    return points


def _errors(given: Ratings, recoding: Recoding, cells: tuple[np.ndarray, ...], predicted: np.ndarray) -> dict[str, Any]:
    """Return the errors on held-out cells, which are users, items and codes; predicted are the predictor's errors."""
    profiles, own = recoding.records, recoding.stands_for
    assert isinstance(profiles, Ratings)
    assert own is not None
    users, items, codes = cells
    stars = given.scale.decode(codes)
    published = _dense(profiles)
    means = item_means(given)
    errors: dict[str, Any] = {"groups": len(profiles), "nulls": round(float(np.isnan(published).mean()), 4)}
    held = np.isin(items, profiles.observable.indices)
    errors |= {"published": round(float(held.mean()), 4), "predictor_published": _rmse(predicted[held])}
    cell = published[own[users], items]
    errors["target_published"] = _rmse((np.where(np.isnan(cell), means[items], cell) - stars)[held])
    for name, rows in (("target", own), ("similar", _nearest(given, profiles))):
        cell = published[rows[users], items]
        errors[name] = _rmse(np.where(np.isnan(cell), means[items], cell) - stars)
        errors[f"{name}_null_as_0"] = _rmse(np.nan_to_num(cell, nan=0) - stars)
    people = np.bincount(own)
    comparison = Comparison(given, np.arange(len(given)), profiles, people, places=own)
    errors["self_rank_first"] = round(MEASURES["self rank first"](comparison), 4)
    errors["self_rank_share"] = round(MEASURES["average self rank"](comparison) / len(profiles), 4)
    errors["self_ranks"] = self_rank_histogram(comparison).tolist()
    return errors


def _nearest(given: Ratings, profiles: Ratings) -> np.ndarray:
    """Return the nearest profile of each user."""
    parts = int(given.scale.step / profiles.scale.step)
    nearest, least = np.zeros(len(given), np.int64), np.full(len(given), np.inf)
    for start, distances in profile_distances(given.observable, profiles.observable, parts):
        place = distances.argmin(axis=1)
        found = distances[np.arange(len(given)), place]
        nearest = np.where(found < least, start + place, nearest)
        least = np.minimum(found, least)
    return nearest


def _dense(profiles: Ratings) -> np.ndarray:
    """Return the profiles in stars, with NaN for null."""
    codes = profiles.observable.dense()
    return np.where(codes < 0, np.nan, float(profiles.scale.lowest) + codes * float(profiles.scale.step))


def _rmse(errors: np.ndarray) -> float:
    return round(float(np.sqrt(np.mean(errors.astype(np.float64) ** 2))), 5)


def _mean(points: list[dict[str, Any]], method: str, k: int) -> dict[str, Any]:
    """Average over the seeds; how much more than predictors' errors, in percent, is an average too."""
    mine = [point for point in points if point["method"] == method and point["k"] == k]
    errors = ("target", "target_null_as_0", "similar", "similar_null_as_0")
    others = ("predictor", "default_predictor", "nulls", "self_rank_first", "self_rank_share")
    others += ("published", "predictor_published", "target_published")
    mean = {name: round(float(np.mean([point[name] for point in mine])), 4) for name in (*others, *errors)}
    for name in errors:
        mean[f"{name}_more_percent"] = _more(mine, name, "predictor")
        mean[f"{name}_more_than_default_percent"] = _more(mine, name, "default_predictor")
    mean["target_published_more_percent"] = _more(mine, "target_published", "predictor_published")
    return {"method": method, "k": k, **mean}


def _more(points: list[dict[str, Any]], error: str, than: str) -> float:
    return round(float(np.mean([100 * (point[error] / point[than] - 1) for point in points])), 2)
