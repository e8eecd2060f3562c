"""How align grows: MovieLens 1M, the Big Five survey, and surveys to a million people; time, memory and cost.

Generated surveys come whole and with one answer in fifty missing: whole ones keep the promise nearly by themselves,
and with nulls hardly anybody has a neighbor.
"""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED, measured
from shoal.anonymizers import Align
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import Ratings
from shoal.datasets import generate_survey
from shoal.engines import LocalEngine, judge
from shoal.io import RatingsSchema
from shoal.models import KEpsilon
from shoal.randomness import Randomness

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
K, EPSILON = 5, Fraction(1)
IGNORED = ("race", "age", "engnat", "gender", "hand", "source", "country")


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Recode and check each; a cost that grows like n·log n has a steady cost by n·log n."""
    points = [_point(name, data) for name, data in _real()]
    for name, nulls in (("whole", 0.0), ("with nulls", 0.02)):
        survey = generate_survey(SIZES[-1], 50, 0, seed=1, nulls=nulls)
        points += [_point(f"{name} {n}", survey.take(np.arange(n))) for n in SIZES]
    largest = points[-1]
    return {"million_seconds": largest["seconds"], "million_mib": largest["mib"], "points": points}


def _point(name: str, data: Ratings) -> dict[str, Any]:
    model, engine = KEpsilon(K, EPSILON), LocalEngine()
    Align().recode(data.take(np.arange(300)), [model], engine, Randomness(1))  # compiled before it is timed
    made, seconds, mib = measured(lambda: Align().recode(data, [model], engine, Randomness(1)).records)
    n = len(data)
    point = {
        "data": name,
        "records": n,
        "seconds": seconds,
        "microseconds_by_n_log_n": round(1e6 * seconds / (n * math.log2(n)), 3),
        "mib": mib,
        "cost_a_record": round(float(RatingCosts.on(data.scale).between(data.observable, made.observable)) / n, 2),
        "holds": judge(made, [model], engine).holds,
    }
    print(point, flush=True)
    return point


def _real() -> list[tuple[str, Ratings]]:
    found = []
    for name, path, schema in (
        ("ml-1m", SHARED / "ratings/ml-1m/ratings.dat.gz", RatingsSchema(layout="movielens", scale=(1, 5))),
        ("big5", SHARED / "surveys/big5/data.csv", RatingsSchema(layout="wide", null=(0,), ignore=IGNORED)),
    ):
        if path.exists():
            records = shoal.read(path, schema).records
            assert isinstance(records, Ratings)
            found.append((name, records))
    return found
