"""How well the default predictor foretells held-out ratings of MovieLens 1M, beside biases alone; five splits of 90/10.

The settings were picked on another split (NumPy's seed 0). Needs the data set beside the project.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED
from shoal.data import RatingMatrix, Ratings
from shoal.io import RatingsSchema
from shoal.predictors import Als, Predictor
from shoal.randomness import Randomness

DATA = SHARED / "ratings/ml-1m/ratings.dat.gz"
SEEDS = (1, 2, 3, 4, 5)


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Fit on nine ratings of ten, and give the root mean square error on the others, in stars."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    records = shoal.read(DATA, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    points = [_point(records, seed) for seed in SEEDS]
    rmses, biases = ([point[name] for point in points] for name in ("rmse", "biases_rmse"))
    return {
        "rmse": round(float(np.mean(rmses)), 4),
        "rmse_deviation": round(float(np.std(rmses)), 4),
        "biases_rmse": round(float(np.mean(biases)), 4),
        "points": points,
    }


def _point(records: Ratings, seed: int) -> dict[str, Any]:
    matrix = records.observable
    held = np.random.default_rng(seed).random(matrix.n_ratings) < 0.1
    users = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(users[~held], minlength=len(matrix)))])
    given = RatingMatrix(matrix.items, indptr, matrix.indices[~held], matrix.codes[~held])

    def rmse(predictor: Predictor) -> float:
        fitted = predictor.fit(given, records.scale, Randomness(seed))
        errors = fitted.predict(users[held], matrix.indices[held]) - matrix.codes[held]
        return round(float(np.sqrt(np.mean(errors**2))), 4)

    point = {"predictor": str(Als()), "seed": seed, "rmse": rmse(Als()), "biases_rmse": rmse(Als(factors=0))}
    print(point, flush=True)
    return point
