"""What it costs to publish surveys: align against the papers' methods, at several k and ε, on real data."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import shoal
from measuring import SHARED, measured
from shoal.anonymizers import methods
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import Ratings
from shoal.engines import LocalEngine, judge
from shoal.io import RatingsSchema, Schema, read_schema
from shoal.models import KEpsilon
from shoal.randomness import Randomness

METHODS = ("align", "greedy-interval", "graph", "graph:strategy=centroid")


def main(folder: Path) -> dict[str, Any]:
    """Recode with every method, check the promise, and compare total costs at the default costs."""
    points: list[dict[str, Any]] = []
    for name, data in _data_sets(folder):
        for k in (5, 20):
            for epsilon in (1, 2):
                points += [_point(name, data, k, epsilon, method) for method in METHODS]
    if not points:
        return {"skipped_for_want_of_data": 1}
    worst = {
        f"worst_share_of_{method}": max(
            one["cost"] / other["cost"]
            for one, other in zip(_of(points, "align"), _of(points, method), strict=True)
            if other["cost"] > 0
        )
        for method in METHODS[1:]
    }
    return {**{name: round(share, 3) for name, share in worst.items()}, "points": points}


def _of(points: list[dict[str, Any]], method: str) -> list[dict[str, Any]]:
    return [point for point in points if point["method"] == method]


def _point(name: str, data: Ratings, k: int, epsilon: int, method: str) -> dict[str, Any]:
    model, engine = KEpsilon(k, Fraction(epsilon)), LocalEngine()
    recoding, seconds, mib = measured(lambda: methods.read(method).recode(data, [model], engine, Randomness(1)).records)
    point = {
        "data": name,
        "k": k,
        "epsilon": epsilon,
        "method": method,
        "cost": float(RatingCosts.on(data.scale).between(data.observable, recoding.observable)),
        "seconds": seconds,
        "mib": mib,
        "holds": judge(recoding, [model], engine).holds,
    }
    print(point, flush=True)
    return point


def _data_sets(folder: Path) -> list[tuple[str, Ratings]]:
    found = []
    for name, (path, settings) in _SOURCES.items():
        if (SHARED / path).exists():
            schema = RatingsSchema(layout="wide", **settings) if settings else _starter(SHARED / path, folder)
            records = shoal.read(SHARED / path, schema).records
            assert isinstance(records, Ratings)
            found.append((name, records))
    return found


def _starter(path: Path, folder: Path) -> Schema:
    """Take the schema to start from: the columns that look like ratings are."""
    (folder / "starter.toml").write_text(shoal.describe(path).starter or "", encoding="utf-8")
    return read_schema(folder / "starter.toml")


_SOURCES: dict[str, tuple[str, dict[str, Any]]] = {
    "young people": ("surveys/young-people-survey/responses.csv", {}),
    "bfi": ("surveys/bfi/bfi.csv", {"scale": (1, 6), "ignore": ("gender", "education", "age")}),
    "turkiye": (
        "surveys/turkiye-student-evaluation/turkiye-student-evaluation_generic.csv",
        {"ignore": ("instcode", "course code", "repeat", "attendance", "difficulty")},
    ),
    "big5": (
        "surveys/big5/data.csv",
        {"scale": (1, 5), "null": (0,), "ignore": ("race", "age", "engnat", "gender", "hand", "source", "country")},
    ),
}
