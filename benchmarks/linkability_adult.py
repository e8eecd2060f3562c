"""Link halves of Adult's columns: in the raw table, and as Mondrian and the lattice publish it with k = 5.

Beside the default halves, the number of neighbors that makes raw data linkable, and a control of people who were held
out: the table without a part of its records is published, and the part is outside. Needs the data set beside the
project.
"""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from adult import SALARY_SENSITIVE, adult
from shoal import road
from shoal.anonymizers import methods
from shoal.attacks import Exposure, attacks
from shoal.data import Microdata
from shoal.models import promises
from shoal.randomness import Randomness

_RELEASES = ("raw", "mondrian", "lattice")
_WORDINGS = {"n1": "linkability", "n10": "linkability:neighbors=10,targets=10000"}
_HELD_OUT = 5_000


def main(folder: Path) -> dict[str, float]:
    """Return the rates, the risk and the seconds of each attack on each release."""
    table = adult(folder, sensitive=SALARY_SENSITIVE[0], quasi_identifiers=SALARY_SENSITIVE[1])
    if table is None:
        return {"skipped_for_want_of_data": 1}
    shuffled = np.random.default_rng(1).permutation(len(table))
    outside, people = table.take(shuffled[:_HELD_OUT]), table.take(shuffled[_HELD_OUT:])
    measured: dict[str, float] = {"records": len(table), "columns": len(table.columns)}
    for release in _RELEASES:
        exposure = _exposure(table, release)
        attacks.read("linkability:targets=10").run(exposure, Randomness(0))  # compiles
        for name, wording in _WORDINGS.items():
            measured |= _found(f"{release}_{name}", exposure, wording)
        held_out = replace(_exposure(people, release), outside=outside)
        measured |= _found(f"{release}_n10_held_out", held_out, _WORDINGS["n10"])
    return measured


def _exposure(people: Microdata, release: str) -> Exposure:
    if release == "raw":
        return Exposure.of_itself(people)
    models = (promises.read("k-anonymity:k=5"),)
    made, ledger = road.publish(people, models, methods.read(release), randomness=Randomness(1))
    place = np.full(len(people), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins))
    return Exposure(people, made.records, place, models)


def _found(name: str, exposure: Exposure, wording: str) -> dict[str, float]:
    began = time.perf_counter()
    found = attacks.read(wording).run(exposure, Randomness(0))
    published = {
        "seconds": round(time.perf_counter() - began, 2),
        "main": found.main,
        "control": found.control,
        "risk": found.risk,
        "risk_from": found.risk_interval[0],
        "risk_to": found.risk_interval[1],
        "meets_at_own_record": found.details["meets_at_own_record"],
        "two_different_people": found.details["control_of_two_different_people"],
    }
    return {f"{name}_{key}": round(value, 6) for key, value in published.items()}
