"""How the time of a verdict grows: dense surveys to a million people, sparse ratings to the Netflix Prize shape."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from measuring import measured
from shoal.data import Ratings
from shoal.datasets import generate_survey, write_generated
from shoal.engines import LocalEngine, judge
from shoal.models import KEpsilon

DENSE = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
SPARSE = (10_000, 20_000, 40_000, 80_000, 160_000, 240_000, 480_189)
BASELINES = 50_000
"""The two baselines are quadratic and are run up to here."""
RATINGS_EACH = 100_480_507 / 480_189


def main(folder: Path) -> dict[str, Any]:
    """Measure both kinds of growth."""
    points = _dense()
    points += [_sparse(folder, users) for users in SPARSE]
    doubling = [
        round(b["seconds"] / a["seconds"] / (b["records"] / a["records"]), 3)
        for a, b in zip(points[-len(SPARSE) :], points[1 - len(SPARSE) :], strict=False)
    ]
    largest = next(p for p in points if p["data"] == "dense" and p["records"] == DENSE[-1] and p["epsilon"] == 1)
    return {
        "million_dense_seconds": largest["seconds"],
        "million_dense_mib": largest["mib"],
        "worst_growth_against_linear_sparse": max(doubling),
        "points": points,
    }


def _dense() -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = []
    survey = generate_survey(DENSE[-1], 50, 0, seed=1, nulls=0.0)
    for records in DENSE:
        data = survey.take(np.arange(records))
        for search in ("auto", "slicing", "pairwise"):
            if search != "auto" and records > BASELINES:
                continue
            for epsilon in (1, 2):
                points.append(_judged(data, search, epsilon))
                print(points[-1], flush=True)
    return points


def _judged(data: Ratings, search: Any, epsilon: int) -> dict[str, Any]:
    model, engine = KEpsilon(5, Fraction(epsilon)), LocalEngine(search=search)
    judge(data.take(np.arange(500)), [model], engine)
    verdict, seconds, mib = measured(lambda: judge(data, [model], engine).verdicts[0])
    said = {"holds": verdict.holds, "violations": verdict.violations}
    size = {"data": "dense", "records": len(data), "epsilon": epsilon, "search": search}
    return {**size, "seconds": seconds, "mib": mib, **said}


def _sparse(folder: Path, users: int) -> dict[str, Any]:
    """Check a file in a process of its own: from file to verdict, the best of five, so without starting up."""
    path = folder / f"sparse-{users}.parquet"
    if not path.exists():
        write_generated("ratings", path, users=users, items=17_770, ratings=int(users * RATINGS_EACH), seed=1)
    program = f"""
import sys, time, shoal
sys.path.insert(0, {str(Path(__file__).parent)!r})
from measuring import peak
model = ["k-epsilon:k=5,epsilon=1"]
best = float("inf")
for _ in range(5):
    began = time.perf_counter()
    verdict = shoal.check({str(path)!r}, model).verdicts[0]
    best = min(best, time.perf_counter() - began)
print(best, peak(), verdict.violations)
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    seconds, mib, violations = done.stdout.split()
    if users != SPARSE[-1]:
        path.unlink()
    point = {"data": "sparse", "records": users, "epsilon": 1, "search": "auto", "seconds": round(float(seconds), 3)}
    point |= {"mib": round(float(mib)), "violations": int(violations)}
    print(point, flush=True)
    return point
