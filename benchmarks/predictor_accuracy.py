"""How well the default predictor foretells held-out ratings of MovieLens 1M, beside biases alone; five splits of 90/10.

The settings were picked on another split (NumPy's seed 0). Needs the data set beside the project.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from experiments.held_out import held_out
from measuring import SHARED
from shoal.data import Ratings
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
    given, (users, items, codes) = held_out(records, 0.1, seed)

    def rmse(predictor: Predictor) -> float:
        fitted = predictor.fit(given.observable, given.scale, Randomness(seed))
        errors = fitted.predict(users, items) - codes
        return round(float(np.sqrt(np.mean(errors**2))), 4)

    point = {"predictor": str(Als()), "seed": seed, "rmse": rmse(Als()), "biases_rmse": rmse(Als(factors=0))}
    print(point, flush=True)
    return point
