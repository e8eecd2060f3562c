"""How well people of MovieLens are found by 1 to 8 items, with and without their ratings, in raw data and in a release.

Known items are drawn among all that a person rated, and among those outside the 500 most rated. Ratings are known not
at all (*structure*), exactly, or within one star (*label*). The releases are of MovieLens 1M, by ``predictive`` with
groups of 5, in which all profiles hold all items, or (*simple*) the items of their group alone. Their certificates
promise that nobody is found with more than a chance of 1/5. For each case: the rates of the attack, its baseline and
its control, how many are singled out, and how many people are candidates on average.

Beside them stands the worst case: the share of people whom the best 1, 2, 3 or 4 items single out. Needs the data sets
beside the project.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED, measured
from shoal import road
from shoal.anonymizers import Predictive
from shoal.attacks import Attack, Exposure, Label, Structure, Unicity
from shoal.data import Ratings
from shoal.io import RatingsSchema
from shoal.models import KAnonymity
from shoal.randomness import Randomness

DATA = {"ml-100k": SHARED / "ratings/ml-100k/u.data", "ml-1m": SHARED / "ratings/ml-1m/ratings.dat.gz"}
K = 5
METHODS = (Predictive(), Predictive(variant="simple"))
KNOWN = range(1, 9)
OUTSIDE = (0, 500)


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Attack raw data and a release, and give the rates."""
    if not all(file.exists() for file in DATA.values()):
        return {"skipped_for_want_of_data": 1}
    raw = {name: Exposure.of_itself(_read(file)) for name, file in DATA.items()}
    exposed = raw | {f"ml-1m by {method}": _released(raw["ml-1m"], method) for method in METHODS}
    few = Exposure.of_itself(_read(DATA["ml-100k"]).take(np.arange(50)))
    for attack in (*_sweep(), *_worst()):  # compiled
        if attack.misfit(few) is None:
            attack.run(few, Randomness(1))
    points = [_point(name, exposure, attack) for name, exposure in exposed.items() for attack in _sweep()]
    worst = [_point(name, exposure, attack) for name, exposure in exposed.items() for attack in _worst()]
    highest = max(point["main"] for point in points + worst if point["data"] not in raw)
    return {
        "k": K,
        "highest_rate_on_a_release": highest,
        "seconds_of_all_attacks": round(sum(point["seconds"] for point in points + worst), 1),
        "points": points,
        "worst_case": worst,
    }


def _read(file: Path) -> Ratings:
    records = shoal.read(file, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    return records


def _released(raw: Exposure, method: Predictive) -> Exposure:
    release, ledger = road.publish(raw.truth, [KAnonymity(K)], method, randomness=Randomness(1))
    place = np.full(len(raw.truth), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins)) if ledger.places is None else ledger.places
    return Exposure(raw.truth, release.records, place, (KAnonymity(K),))


def _sweep() -> list[Attack]:
    attacks: list[Attack] = []
    for known in KNOWN:
        for outside in OUTSIDE:
            attacks += [Structure(known, outside), Label(known, outside)]
            attacks += [Label(known, outside, tolerance=Fraction(1))]
    return attacks


def _worst() -> list[Attack]:
    return [Unicity(), Unicity(by="ratings")]


def _point(name: str, exposure: Exposure, attack: Attack) -> dict[str, Any]:
    found, seconds, _ = measured(lambda: attack.run(exposure, Randomness(1)))
    rates = {"main": found.main, "baseline": found.baseline, "control": found.control, **found.details}
    point = {"data": name, "attack": str(attack), "targets": found.targets, "seconds": round(seconds, 2)}
    point |= {rate: value if isinstance(value, int) else round(value, 5) for rate, value in rates.items()}
    print(point, flush=True)
    return point
