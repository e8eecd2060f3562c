"""How fitting the default predictor grows: parts of the shape of the Netflix Prize, from a sixteenth to the whole."""

import os
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import measured
from shoal.data import RatingMatrix, Ratings
from shoal.datasets import write_generated
from shoal.predictors import Als, Factors
from shoal.progress import listening
from shoal.randomness import Randomness

USERS, ITEMS, RATINGS = 480_189, 17_770, 100_480_507
SHARES = (Fraction(1, 16), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1))
SAMPLE = 1_000_000
TOLD = ("fit_seconds", "seconds_a_sweep", "nanoseconds_a_rating_and_sweep", "mib")


class Clock:
    """Hears when each half of a sweep is done."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:  # noqa: ARG002
        """Begin anew: the last stage is the sweeps."""
        self.times = [time.perf_counter()]
        return name

    def advance(self, token: object, amount: int) -> None:  # noqa: ARG002
        """Note the time."""
        self.times.append(time.perf_counter())

    def end(self, token: object) -> None:
        """Do nothing."""


def main(folder: Path) -> dict[str, Any]:
    """Generate the shape unless it is there, and fit to the first users; linear growth has a steady time a rating."""
    path = folder / "netflix.parquet"
    if not path.exists():
        write_generated("ratings", path, users=USERS, items=ITEMS, ratings=RATINGS, seed=1)
    records = shoal.read(path).records
    assert isinstance(records, Ratings)
    Als(sweeps=1).fit(records.observable.take(np.arange(50)), records.scale, Randomness(1))  # compiled before timed
    points = [_point(records, share) for share in SHARES]
    whole = points[-1]
    return {**{f"whole_{name}": whole[name] for name in TOLD}, "points": points}


def _point(records: Ratings, share: Fraction) -> dict[str, Any]:
    whole = records.observable
    matrix = whole if share == 1 else whole.take(np.arange(int(len(whole) * share)))
    clock, load = Clock(), os.getloadavg()[0]
    with listening(clock):
        fitted, seconds, mib = measured(lambda: Als().fit(matrix, records.scale, Randomness(1)))
    halves = np.diff(clock.times)
    sweeps = halves[::2] + halves[1::2]
    sweep = float(np.median(sweeps))
    point = {
        "predictor": str(Als()),
        "users": len(matrix),
        "ratings": matrix.n_ratings,
        "load_before": round(load, 1),
        "fit_seconds": round(seconds, 2),
        "seconds_a_sweep": round(sweep, 2),
        "quickest_sweep_seconds": round(float(sweeps.min()), 2),
        "slowest_sweep_seconds": round(float(sweeps.max()), 2),
        "user_half_seconds": round(float(np.median(halves[::2])), 2),
        "item_half_seconds": round(float(np.median(halves[1::2])), 2),
        "nanoseconds_a_rating_and_sweep": round(1e9 * sweep / matrix.n_ratings, 1),
        "mib": mib,
        "data_mib": round((matrix.indptr.nbytes + matrix.indices.nbytes + matrix.codes.nbytes) / 2**20, 1),
        "rmse_on_given": _rmse(fitted, matrix),
    }
    print(point, flush=True)
    return point


def _rmse(fitted: Factors, matrix: RatingMatrix) -> float:
    """Return the error on a sample of the ratings fitted: it distinguishes a fit from none, no more."""
    some = np.unique(np.linspace(0, matrix.n_ratings - 1, SAMPLE).astype(np.int64))
    rows = np.searchsorted(matrix.indptr, some, side="right") - 1
    errors = fitted.predict(rows, matrix.indices[some]) - matrix.codes[some]
    return round(float(np.sqrt(np.mean(errors**2))), 4)
