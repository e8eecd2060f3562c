"""MDAV, exactly, on up to 500,000 records × 9 with k = 20; beside it `approximate`, and the plain algorithm on few."""

from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import polars as pl

from measuring import measured, peak
from shoal.anonymizers import Microaggregation
from shoal.anonymizers.microaggregation.standardized_points import standardized_points
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.kernels.clustering.mdav import mdav_groups
from shoal.models import promises
from shoal.randomness import Randomness

Method = Literal["mdav", "approximate"]
SIZES = (10_000, 50_000, 100_000, 200_000, 500_000)
K = 20
PLAIN = 10_000
"""So many records are also grouped by looking at all of them each time."""


def main(_folder: Path) -> dict[str, Any]:
    """Group tables whose columns have nothing to do with each other, and such as depend on three things."""
    mdav_groups(np.zeros((99, 2)), K)  # compiles
    points = []
    for kind in ("independent", "three factors"):
        for size in SIZES:
            table = _table(kind, size)
            for method in get_args(Method):
                _, seconds, mib = measured(lambda: _recoded(table, method))  # noqa: B023 - it is called at once
                points.append({"table": kind, "records": size, "method": method, "seconds": seconds, "mib": mib})
                print(points[-1], flush=True)
    return {"points": points, "peak_mib": peak(), **_beside_plain()}


def _table(kind: str, size: int) -> Microdata:
    chance = np.random.default_rng(1)
    numbers = chance.normal(size=(size, 9))
    if kind == "three factors":
        numbers = chance.normal(size=(size, 3)) @ chance.normal(size=(3, 9)) + 0.1 * numbers
    return Microdata(tuple(Column.encode(f"a{j}", Role.QUASI_IDENTIFIER, pl.Series(numbers[:, j])) for j in range(9)))


def _recoded(table: Microdata, method: Method) -> Microdata:
    models = [promises.read(f"k-anonymity:k={K}")]
    made = Microaggregation(method=method).recode(table, models, LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    return made


def _beside_plain() -> dict[str, Any]:
    points = standardized_points(_table("independent", PLAIN).quasi_identifiers)
    ours, seconds, _ = measured(lambda: mdav_groups(points, K), repeat=3)
    theirs, plain_seconds, _ = measured(lambda: _plain(points))
    assert np.array_equal(ours, theirs)
    return {"plain_seconds": plain_seconds, "ours_seconds": seconds, "times_faster": round(plain_seconds / seconds, 1)}


def _plain(points: np.ndarray) -> np.ndarray:
    """MDAV as it is written down, each distance by NumPy."""
    labels, left, group = np.empty(len(points), np.int64), np.arange(len(points)), 0
    total = np.zeros(points.shape[1])
    for point in points:
        total += point
    while len(left) >= 2 * K:
        first = left[np.argmax(_apart(points[left], total / len(left)))]
        for turn in range(2 if len(left) >= 3 * K else 1):
            middle = first if turn == 0 else left[np.argmax(_apart(points[left], points[first]))]
            near = np.argsort(_apart(points[left], points[middle]), kind="stable")[:K]
            labels[left[near]] = group
            for point in points[left[near]]:
                total -= point
            left = np.delete(left, near)
            group += 1
        if len(left) < 2 * K:
            break
    labels[left] = group
    return labels


def _apart(points: np.ndarray, point: np.ndarray) -> np.ndarray:
    apart = np.zeros(len(points))
    for j in range(len(point)):  # in this order, so that no digit differs
        apart += (points[:, j] - point[j]) ** 2
    return apart
