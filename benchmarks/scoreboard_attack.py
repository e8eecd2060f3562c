"""The attack ``scoreboard``: how many people are found on raw ratings and on releases, how long it takes, and memory.

On raw MovieLens 100K by how much is known, as means of five seeds; on releases of it for groups of five by each variant
of ``predictive``; on MovieLens 1M everybody; on the shape of the Netflix Prize ten thousand people. Leave a generated
file ``netflix.parquet`` in the folder (``--keep FOLDER``) to have it used again. What needs a data set that is not
beside the project is left out.
"""

from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED, measured, peak
from shoal import road
from shoal.anonymizers import Predictive
from shoal.attacks import Exposure, Finding, attacks
from shoal.data import Ratings
from shoal.datasets import write_generated
from shoal.io import RatingsSchema
from shoal.io.ratings.rating_dates import rating_dates
from shoal.models import KAnonymity
from shoal.randomness import Randomness

SMALL, LARGER = SHARED / "ratings/ml-100k/u.data", SHARED / "ratings/ml-1m/ratings.dat.gz"
SEEDS = (1, 2, 3, 4, 5)
KNOWN = (
    "items=1",
    "items=2",
    "items=4",
    "items=8",
    "items=6,error=1,outside_top=500",
    "items=8,wrong=2,error=1",
    "items=8,wrong=2,error=1,outside_top=500",
)
DATED = ("items=2", "items=2,date_error=3", "items=8,wrong=2,error=1,date_error=14")
METHODS = (
    Predictive(),
    Predictive(variant="padded"),
    Predictive(variant="padded", min_raters=1),
    Predictive(variant="simple"),
    Predictive(variant="simple", min_raters=1),
)


def main(folder: Path) -> dict[str, Any]:
    """Attack each, and give rates of success, seconds and the peak of memory."""
    small = _read(SMALL)
    out: dict[str, Any] = {}
    if small is not None:
        out["small"] = [_rates(Exposure.of_itself(small), known) for known in KNOWN]
        days = rating_dates(SMALL, shoal.read(SMALL), "timestamp")
        dated = Exposure.of_itself(small, dates=days)
        out["small_with_dates"] = [_rates(dated, known) for known in DATED]
        out["small_releases"] = [
            _rates(_released(small, method), "items=8") | {"method": str(method)} for method in METHODS
        ]
    out |= _timed("ml_1m", _read(LARGER), "scoreboard")
    return out | _timed("netflix_shape", _netflix_shape(folder), "scoreboard:targets=10000")


def _read(path: Path) -> Ratings | None:
    if not path.exists():
        return None
    records = shoal.read(path, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    return records


def _netflix_shape(folder: Path) -> Ratings:
    data = folder / "netflix.parquet"
    if not data.exists():
        write_generated("ratings", data, users=480_189, items=17_770, ratings=100_480_507, seed=1)
    records = shoal.read(data).records
    assert isinstance(records, Ratings)
    return records


def _released(records: Ratings, method: Predictive) -> Exposure:
    release, ledger = road.publish(records, [KAnonymity(5)], method, randomness=Randomness(1))
    assert ledger.places is not None
    place = np.full(len(records), -1, np.int64)
    place[ledger.origins] = ledger.places
    return Exposure(records, release.records, place)


def _rates(exposure: Exposure, known: str) -> dict[str, Any]:
    attack = attacks.read(f"scoreboard:{known}")
    findings = [attack.run(exposure, Randomness(seed)) for seed in SEEDS]
    point = {"known": known, **_mean([_figures(finding) for finding in findings])}
    print(point, flush=True)
    return point


def _figures(finding: Finding) -> dict[str, float]:
    rates = {"main": finding.main, "baseline": finding.baseline, "control": finding.control}
    return {"targets": finding.targets, **rates, **finding.details}


def _mean(figures: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(float(np.mean([each[name] for each in figures])), 4) for name in figures[0]}


def _timed(name: str, records: Ratings | None, wording: str) -> dict[str, Any]:
    """Attack raw ratings once, the kernels being compiled; the peak is that of the process, with the data in it."""
    if records is None:
        return {}
    attack, exposure = attacks.read(wording), Exposure.of_itself(records)
    attack.run(Exposure.of_itself(records.take(np.arange(50))), Randomness(1))
    finding, seconds, _ = measured(lambda: attack.run(exposure, Randomness(1)))
    figures = {key: round(value, 4) for key, value in _figures(finding).items()}
    point = {f"{name}_seconds": seconds, f"{name}_peak_mib": peak(), f"{name}_main": figures["main"], name: figures}
    print(point, flush=True)
    return point
