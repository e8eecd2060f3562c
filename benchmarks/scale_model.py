"""A cost model of tables on disk, fitted to what `tables_at_scale` measured, and carried to a cluster.

Seconds of the processor are a fixed part and a part a row; the fit weighs errors by their share. Bytes that are written
(shuffled, spilled, published) are proportional to rows. On a cluster the same functions run on the same rows. What that
adds was measured on one machine, and how evenly work is divided was not: both are intervals, and so are the times.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from run import RESULTS

JOBS = ("group_by", "check", "lattice", "verify", "mondrian")
ROWS, EXECUTORS, CORES = 10_000_000_000, 100, 4
OVERHEAD = (2.0, 5.5)
"""Seconds of the processor on Spark for each here, at least and at most.

So much more did `verify` and `publish` of 10 million rows take there than of 200,000 (`table_on_spark`).
"""
BUSY = (0.5, 0.9)
"""The share of the time in which cores have work, at least and at most: assumed."""
DISK = 200 * 2**20
"""Bytes a second that an executor writes to disk or network, or reads: assumed."""
LEAST_ERROR = 0.4
"""Repeated runs of a command differed by up to this share, as other work on the machine came and went."""


def main(_folder: Path) -> dict[str, Any]:
    """Fit the model to the results of all sizes, and return it with what follows from it."""
    found = [json.loads(file.read_text())["measured"] for file in sorted(RESULTS.glob("tables_at_scale*.json"))]
    measured = {each["rows"]: each for each in found}
    result: dict[str, Any] = {"sizes": sorted(measured)}
    for job in JOBS:
        points = [(rows, each) for rows, each in sorted(measured.items()) if f"{job}_processor" in each]
        if len(points) > 1:
            result |= {f"{job}_{name}": value for name, value in _model(job, points).items()}
    return result


def _model(job: str, points: list[tuple[int, dict[str, Any]]]) -> dict[str, float]:
    rows = np.array([n for n, _ in points], float)
    seconds = np.array([each[f"{job}_processor"] for _, each in points])
    fixed, by_row = _fit(rows, seconds)
    n, largest = points[-1]
    written = largest[f"{job}_written_mib"] * 2**20 / n
    low, high = (_carried(by_row, written, *each) for each in zip(OVERHEAD, reversed(BUSY), strict=True))
    errors = np.abs((fixed + by_row * rows) / seconds - 1)
    error = max(LEAST_ERROR, float(errors.max()))
    told = {
        "largest_rows": n,
        "fixed_seconds": round(fixed, 2),
        "microseconds_a_row": round(1e6 * by_row, 2),
        "bytes_written_a_row": round(written),
        "cluster_minutes_at_least": round(low * (1 - error) / 60, 1),
        "cluster_minutes_at_most": round(high * (1 + error) / 60, 1),
        "cluster_written_gib_an_executor": round(written * ROWS / EXECUTORS / 2**30, 1),
    }
    # a line through two points says nothing about its error
    return told if len(points) == 2 else {**told, "largest_error": round(float(errors.max()), 2)}


def _fit(rows: np.ndarray, seconds: np.ndarray) -> tuple[float, float]:
    """Return the fixed part, at least 0, and the part a row, with the least squares of relative errors."""
    weighed = np.stack([1 / seconds, rows / seconds], axis=1)
    fixed, by_row = np.linalg.lstsq(weighed, np.ones(len(rows)), rcond=None)[0]
    if fixed < 0:
        fixed, by_row = 0.0, float(weighed[:, 1].sum() / (weighed[:, 1] ** 2).sum())
    return float(fixed), float(by_row)


def _carried(by_row: float, written: float, overhead: float, busy: float) -> float:
    """Return the seconds that a job takes on the cluster: computing, and writing and reading what is shuffled."""
    computing = by_row * ROWS * overhead / (EXECUTORS * CORES * busy)
    return computing + 2 * written * ROWS / EXECUTORS / DISK
