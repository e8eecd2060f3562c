"""Attack Adult as Mondrian publishes it: by what it did not cut, by narrow labels, and by joining two releases.

Needs the data set beside the project.
"""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from adult import ADULT, SALARY_SENSITIVE, adult_schema
from shoal import road
from shoal.anonymizers import methods
from shoal.attacks import Exposure, attacks
from shoal.data import Records
from shoal.jobs.read import read
from shoal.models import promises
from shoal.randomness import Randomness

_K = ("k-anonymity:k=5",)
_DIVERSE = ("k-anonymity:k=5", "l-diversity:l=2")


def main(folder: Path) -> dict[str, float]:
    """Return what each attack found on each release, and how long it took."""
    if not ADULT.exists():
        return {"skipped_for_want_of_data": 1}
    schema = adult_schema(folder, *SALARY_SENSITIVE)
    people = read(ADULT / "adult.csv", schema).records
    plain = _published(people, _K, "mondrian")
    along_hierarchies = _published(people, _K, "mondrian:numbers=hierarchy")
    diverse = _published(people, _DIVERSE, "mondrian")
    diverse_relaxed = _published(people, _DIVERSE, "mondrian:mode=relaxed")
    larger = _published(people, ("k-anonymity:k=7",), "mondrian")
    measured: dict[str, float] = {}
    measured |= _found("k5", plain, "downcoding")
    measured |= _found("k5_hierarchies", along_hierarchies, "downcoding")
    measured |= _found("k5_l2", diverse, "downcoding", "minimality")
    measured |= _found("k5_l2_relaxed", diverse_relaxed, "downcoding", "minimality")
    joins = {"k5_and_k7": (plain, larger), "k5_cut_and_hierarchies": (plain, along_hierarchies)}
    joins |= {"k5_l2_strict_and_relaxed": (diverse, diverse_relaxed)}
    for name, (first, second) in joins.items():
        measured |= _found(name, replace(first, also=(second,)), "intersection", "intersection-values")
    return measured


def _published(people: Records, asked: tuple[str, ...], method: str) -> Exposure:
    models = tuple(promises.read(each) for each in asked)
    release, ledger = road.publish(people, models, methods.read(method), randomness=Randomness(1))
    place = np.full(len(people), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins))
    return Exposure(people, release.records, place, models)


def _found(release: str, exposure: Exposure, *names: str) -> dict[str, float]:
    measured: dict[str, float] = {}
    for name in names:
        began = time.perf_counter()
        found = attacks.read(name).run(exposure, Randomness(0))
        seconds = time.perf_counter() - began
        rates = {"seconds": seconds, "main": found.main, "baseline": found.baseline, "control": found.control}
        start = f"{release}_{name.replace('-', '_')}"
        measured |= {f"{start}_{key}": round(value, 5) for key, value in {**rates, **found.details}.items()}
    return measured
