"""How grouping users by their factors grows, to the shape of the Netflix Prize: time, memory, and how tight groups are.

Points are a mixture of normal distributions with less and less in each further direction, as factors have. Up to a
size at which that can be had, groups are compared with those of MDAV; always with random groups of equal size. The
share is the sum of squared distances to the means of groups, by that to the mean of all.
"""

import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from measuring import measured
from shoal.anonymizers.predictive.size_constrained_kmeans import size_constrained_kmeans

SIZES = (10_000, 30_000, 100_000, 300_000, 480_189)
GROUPS = (5, 50)
WIDTH, CLUSTERS = 24, 20
COMPARED = 10_000
"""So many points at most are grouped by MDAV too: it takes a step for each pair of a point and a group."""


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Group each; a method that grows like n·log n has a steady time by n·log n."""
    everybody = _mixture(SIZES[-1])
    points = [_point(everybody[:n], size) for size in GROUPS for n in SIZES]
    slowest = max(points, key=lambda point: point["seconds"])
    largest = max(points, key=lambda point: point["mib"])
    return {"most_seconds": slowest["seconds"], "most_mib": largest["mib"], "points": points}


def _point(points: np.ndarray, size: int) -> dict[str, Any]:
    size_constrained_kmeans(points[:3000], size, np.random.default_rng(0))  # compiled before it is timed
    began = time.process_time()  # which other work on the machine disturbs less
    labels, seconds, mib = measured(lambda: size_constrained_kmeans(points, size, np.random.default_rng(1)))
    of_all_cores = time.process_time() - began
    n, counts = len(points), np.bincount(labels)
    everything = _squares(points, np.zeros(n, np.int64))
    point = {
        "points": n,
        "size": size,
        "seconds": seconds,
        "seconds_of_all_cores": round(of_all_cores, 2),
        "microseconds_by_n_log_n": round(1e6 * of_all_cores / (n * math.log2(n)), 3),
        "mib": mib,
        "groups": len(counts),
        "smallest": int(counts.min()),
        "largest": int(counts.max()),
        "share_of_squares": round(_squares(points, labels) / everything, 4),
        "share_at_random": round(_squares(points, _random(n, size)) / everything, 4),
    }
    if n <= COMPARED:
        point["share_by_mdav"] = round(_squares(points, _mdav(points, size)) / everything, 4)
    print(point, flush=True)
    return point


def _mixture(n: int) -> np.ndarray:
    chance = np.random.default_rng(0)
    scale = 1 / np.sqrt(np.arange(1, WIDTH + 1))
    middles = chance.normal(size=(CLUSTERS, WIDTH)) * scale
    return (middles[chance.integers(0, CLUSTERS, n)] + chance.normal(size=(n, WIDTH)) * scale).astype(np.float32)


def _squares(points: np.ndarray, labels: np.ndarray) -> float:
    counts = np.bincount(labels)
    total = 0.0
    for column in points.T.astype(np.float64):
        total += float(column @ column - (np.bincount(labels, column) ** 2 / counts).sum())
    return total


def _random(n: int, size: int) -> np.ndarray:
    return np.random.default_rng(0).permutation(n) % (n // size)


def _mdav(points: np.ndarray, size: int) -> np.ndarray:
    """Group around the point farthest from the middle, then around the one farthest from that, and so on."""
    labels, made, start = np.full(len(points), -1), 0, -1
    while len(free := np.flatnonzero(labels < 0)) >= 2 * size:
        second = start >= 0
        if not second:
            start = free[((points[free] - points[free].mean(axis=0)) ** 2).sum(axis=1).argmax()]
        apart = ((points[free] - points[start]) ** 2).sum(axis=1)
        labels[free[np.argpartition(apart, size - 1)[:size]]] = made
        made += 1
        start = -1 if second else free[apart.argmax()]
    labels[labels < 0] = made
    return labels
