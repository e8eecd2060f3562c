"""How tight groups of padded ratings are, by what users are grouped: predictions alone, or with their own ratings too.

With ``variant=padded`` what is averaged is a user's ratings where there are any, and predictions elsewhere. The sum of
squared distances of these to the means of groups is added up from exact distances between the pairs of each group.
Users are grouped by

- *predictions*: points as far apart as predictions;
- *corrected*: the points that ``variant=padded`` takes, with the directions in which residuals differ most;
- *random N*: the same with N random directions in place of those, scaled so that distances are right on average.

The change is in percent of the first, a mean over runs of the grouping. MovieLens needs the data sets beside the
project; the survey is generated, with twelve tastes of which a predictor with four factors misses most.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED
from shoal.anonymizers.predictive.points import corrected_points, padded_points
from shoal.anonymizers.predictive.size_constrained_kmeans import size_constrained_kmeans
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.io import RatingsSchema
from shoal.kernels.factorization import residual_products
from shoal.predictors import Factors, predictors
from shoal.randomness import Randomness

FILES = {"ml-100k": SHARED / "ratings/ml-100k/u.data", "ml-1m": SHARED / "ratings/ml-1m/ratings.dat.gz"}
PREDICTORS = ("als:factors=4", "als:factors=0")
SIZES = (5, 50)
RUNS = 5
RANDOM = (32, 128)


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Group each data set by each kind of points, and give the sums of squares."""
    data = {name: _read(path) for name, path in FILES.items() if path.exists()} | {"survey": _survey()}
    points = [
        _point(name, matrix, predictor, k) for name, matrix in data.items() for predictor in PREDICTORS for k in SIZES
    ]
    named = {f"{point['data']}_{point['predictor']}_{point['k']}": point["corrected_percent"] for point in points}
    return {**named, "points": points}


def _point(name: str, matrix: RatingMatrix, predictor: str, k: int) -> dict[str, Any]:
    factors = predictors.read(predictor).fit(matrix, Scale.of(1, 5), Randomness(1))
    chance = np.random.default_rng(1)
    kinds = {"predictions": padded_points(factors.users, factors.items)}
    kinds["corrected"] = corrected_points(matrix, factors, chance)
    kinds |= {f"random {width}": _randomly(matrix, factors, width, chance) for width in RANDOM}
    squares = {}
    for kind, places in kinds.items():
        runs = [size_constrained_kmeans(places, k, np.random.default_rng(run)) for run in range(RUNS)]
        squares[kind] = float(np.mean([_squares(matrix, factors, labels) for labels in runs]))
    point: dict[str, Any] = {"data": name, "predictor": predictor, "k": k, "squares": round(squares["predictions"])}
    for kind in list(kinds)[1:]:
        point[f"{kind}_percent"] = round(100 * (squares[kind] / squares["predictions"] - 1), 2)
    print(point, flush=True)
    return point


def _randomly(matrix: RatingMatrix, factors: Factors, width: int, chance: np.random.Generator) -> np.ndarray:
    """Return points along the directions of the factors, and along random ones off these."""
    items = factors.items.astype(np.float64)
    span = np.linalg.qr(items)[0]
    signs = chance.choice([-1.0, 1.0], (len(items), width)) / np.sqrt(width)
    directions = np.hstack([span, signs - span @ (span.T @ signs)])
    rows = matrix.indptr, matrix.indices, matrix.codes, factors.users, factors.items
    points = factors.users @ (items.T @ directions) + residual_products(*rows, np.arange(len(matrix)), directions)
    return (points - points.mean(axis=0)).astype(np.float32)


def _squares(matrix: RatingMatrix, factors: Factors, labels: np.ndarray) -> float:
    """Add up the squared distances between padded ratings and the means of groups, which are made group by group."""
    total = 0.0
    for group in np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1]):
        padded = factors.users[group].astype(np.float64) @ factors.items.T
        for line, user in zip(padded, group, strict=True):
            here = slice(matrix.indptr[user], matrix.indptr[user + 1])
            line[matrix.indices[here]] = matrix.codes[here]
        total += float(((padded - padded.mean(axis=0)) ** 2).sum())
    return total


def _read(path: Path) -> RatingMatrix:
    records = shoal.read(path, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    return records.observable


def _survey() -> RatingMatrix:
    """Generate 2,000 people, who answer 60 questions by twelve tastes; three answers of ten are missing."""
    chance = np.random.default_rng(5)
    published = (
        2 + 0.45 * chance.normal(size=(2000, 12)) @ chance.normal(size=(12, 60)) + chance.normal(0, 0.5, (2000, 60))
    )
    codes, known = np.clip(np.rint(published), 0, 4).astype(np.uint8), chance.random(published.shape) < 0.7
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(known.sum(axis=1))])
    return RatingMatrix(Vocabulary.numbered(60), indptr, np.nonzero(known)[1].astype(np.int32), codes[known])
