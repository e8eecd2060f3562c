"""The four similarity measures of Predictive Anonymization, Figure 4, on MovieLens 100K: what they tell apart, and how
well the means of groups made by them foretell held-out ratings.

Ratings are padded as the paper does: what is known stays, and predictions, kept to the scale, fill the rest. Figure 4
counts pairs of users by twentieths of each measure, (a) all pairs and (b) pairs within a cluster; a shift to the left
says that clusters hold users who are alike. Here (b) are the pairs within all groups. All measures are thus read as
distances from 0, for equal users, to 1:

- *closeness-a*: the share of items that are farther apart than a stars;
- *weighted*: "assigns a weight to various ranges", and the paper says neither which ranges nor which weights. Ranges
  here are half a star wide, as the smaller threshold above, and weigh in proportion to where they begin;
- *weighted-squared*: the mean of d², with d the difference by the width of the scale;
- *printed-squared*: 1 − the mean of (1 − d)², which is how the paper prints the one before. It is concave: large
  differences count *less* than in proportion, against what the text says.

Groups are the same greedy ones for all measures: a user drawn at random and the k − 1 others nearest to them, again and
again; who is left at the end, less than k, joins the last group. The profile of a group is the mean of its members'
padded ratings, or of their predictions alone. The squared measures are tried *of predictions* alone too, without the
ratings. *random* groups and those of the library (*bounded means*, by predictions alone and by padded ratings) stand
beside them. Errors are in stars, means over splits of 90/10; *squares* is the sum of squared distances of padded
ratings to the means of groups; *ratings of nearest* is how many ratings the four nearest to a user have. Needs the data
set beside the project.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from held_out import held_out
from measuring import SHARED
from shoal.anonymizers import Predictive
from shoal.anonymizers.predictive.points import corrected_points, padded_points
from shoal.anonymizers.predictive.size_constrained_kmeans import size_constrained_kmeans
from shoal.data import Ratings
from shoal.io import RatingsSchema
from shoal.predictors import predictors
from shoal.randomness import Randomness

DATA = SHARED / "ratings/ml-100k/u.data"
SEEDS = (1, 2, 3, 4)
SIZES = (5, 50)
RANGES = 20
NEAREST = 4
WIDTH = 4
"""Stars between the best and the worst rating."""
Measure = Callable[[np.ndarray], np.ndarray]
"""Takes absolute differences in stars, pairs × items, and gives a distance from 0 to 1 for each pair."""


def closeness(threshold: float) -> Measure:
    """Return the measure that counts items farther apart than ``threshold`` stars."""
    return lambda apart: (apart > threshold).mean(axis=1)


def weighted(apart: np.ndarray) -> np.ndarray:
    """Let each item weigh by the half star in which its difference begins."""
    return np.floor(2 * apart).mean(axis=1) / (2 * WIDTH)


def weighted_squared(apart: np.ndarray) -> np.ndarray:
    """Let each item weigh by its squared difference."""
    return np.einsum("ij,ij->i", apart, apart) / (apart.shape[1] * WIDTH**2)


def printed_squared(apart: np.ndarray) -> np.ndarray:
    """Let each item weigh as the paper prints it."""
    alike = 1 - apart / WIDTH
    return 1 - np.einsum("ij,ij->i", alike, alike) / apart.shape[1]


MEASURES: dict[str, Measure] = {
    "closeness-0.5": closeness(0.5),
    "closeness-1.0": closeness(1.0),
    "weighted": weighted,
    "weighted-squared": weighted_squared,
    "printed-squared": printed_squared,
}


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Group users by each measure, and give errors and the distribution of distances."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    records = shoal.read(DATA, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    points = [point for seed in SEEDS for point in _points(records, seed)]
    kinds = list(dict.fromkeys((point["groups_by"], point["k"]) for point in points))
    means = [_mean([point for point in points if (point["groups_by"], point["k"]) == kind]) for kind in kinds]
    errors = {f"{mean['groups_by']}_{mean['k']}_padded_rmse": mean["padded_rmse"] for mean in means}
    return {"predictor_rmse": _over([point["predictor_rmse"] for point in points]), **errors, "means": means}


def _points(records: Ratings, seed: int) -> list[dict[str, Any]]:
    """Split the ratings, pad what is left of them, and group by each measure."""
    kept, cells = held_out(records, 0.1, seed)
    given = kept.observable
    factors = predictors.read(Predictive().predictor).fit(given, records.scale, Randomness(seed))
    predicted = np.clip(factors.users @ factors.items.T, 0, WIDTH)
    padded = predicted.copy()
    padded[np.repeat(np.arange(len(given)), np.diff(given.indptr)), given.indices] = given.codes
    distances = _distances(padded, MEASURES)
    squared = {f"{name} of predictions": MEASURES[name] for name in ("weighted-squared", "printed-squared")}
    distances |= _distances(predicted, squared)
    chance = np.random.default_rng(seed)
    by_points = {
        "bounded means of predictions": padded_points(factors.users, factors.items),
        "bounded means of padded ratings": corrected_points(given, factors, chance),
    }
    points = []
    for k in SIZES:
        order = np.random.default_rng(seed).permutation(len(padded))
        grouped = {name: _greedy(apart, order, k) for name, apart in distances.items()}
        grouped |= {
            name: size_constrained_kmeans(place, k, np.random.default_rng(seed)) for name, place in by_points.items()
        }
        grouped["random"] = order % (len(padded) // k)
        for name, labels in grouped.items():
            point = {"groups_by": name, "k": k, "predictor_rmse": _rmse(predicted, np.arange(len(padded)), cells)}
            point |= {"padded_rmse": _rmse(_means(padded, labels), labels, cells)}
            point |= {"predicted_rmse": _rmse(_means(predicted, labels), labels, cells)}
            point |= {"squares": float(((padded - _means(padded, labels)[labels]) ** 2).sum(dtype=np.float64))}
            if name in distances:
                point |= _distribution(distances[name], labels)
                point["ratings_of_nearest"] = _ratings_of_nearest(distances[name], np.diff(given.indptr))
            points.append(point)
    return points


def _distances(rows: np.ndarray, measures: dict[str, Measure]) -> dict[str, np.ndarray]:
    """Return users × users for each measure."""
    distances = {name: np.zeros((len(rows), len(rows))) for name in measures}
    for user in range(len(rows) - 1):
        apart = np.abs(rows[user + 1 :] - rows[user])
        for name, measure in measures.items():
            distances[name][user, user + 1 :] = distances[name][user + 1 :, user] = measure(apart)
    return distances


def _greedy(distances: np.ndarray, order: np.ndarray, k: int) -> np.ndarray:
    """Group the first user of the order that is free with the k − 1 nearest that are, again and again."""
    labels, made = np.full(len(order), -1), 0
    for user in order:
        free = np.flatnonzero(labels < 0)
        if len(free) < k:
            break
        if labels[user] < 0:
            others = free[free != user]
            labels[others[np.argsort(distances[user, others], kind="stable")[: k - 1]]] = made
            labels[user] = made
            made += 1
    labels[labels < 0] = made - 1
    return labels


def _means(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    sums = np.zeros((labels.max() + 1, rows.shape[1]))
    np.add.at(sums, labels, rows)
    return sums / np.bincount(labels)[:, None]


def _rmse(profiles: np.ndarray, own: np.ndarray, cells: tuple[np.ndarray, ...]) -> float:
    users, items, codes = cells
    return float(np.sqrt(np.mean((profiles[own[users], items] - codes) ** 2)))


def _distribution(distances: np.ndarray, labels: np.ndarray) -> dict[str, Any]:
    """Return shares of pairs by twentieths, of all and of those within groups, and how well they are separated."""
    first, second = np.triu_indices(len(labels), 1)
    everything = distances[first, second]
    within = everything[labels[first] == labels[second]]
    return {
        "mean_of_all_pairs": float(everything.mean()),
        "mean_within_groups": float(within.mean()),
        "all_pairs": _shares(everything),
        "within_groups": _shares(within),
    }


def _ratings_of_nearest(distances: np.ndarray, counts: np.ndarray) -> float:
    """Return how many ratings the users have, on average, who are nearest to any."""
    apart = distances + np.diag(np.full(len(distances), np.inf))
    return float(counts[np.argsort(apart, axis=1, kind="stable")[:, :NEAREST]].mean())


def _shares(distances: np.ndarray) -> list[float]:
    return (np.histogram(distances, RANGES, (0, 1))[0] / len(distances)).tolist()


def _mean(points: list[dict[str, Any]]) -> dict[str, Any]:
    """Average over the seeds."""
    named = {"groups_by": points[0]["groups_by"], "k": points[0]["k"]}
    means = {name: _over([point[name] for point in points]) for name in points[0] if name not in named}
    return named | means | {"padded_rmse_by_split": [round(point["padded_rmse"], 4) for point in points]}


def _over(values: list[Any]) -> Any:
    return np.mean(values, axis=0).round(4).tolist()
