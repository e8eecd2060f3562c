"""Attack Adult, raw and as Mondrian publishes it with k = 5, and a tenth of it with all of it as the population.

Needs the data set beside the project.
"""

from pathlib import Path

import numpy as np
import polars as pl

import shoal
from adult import ADULT, SALARY_SENSITIVE, adult_schema
from measuring import measured
from shoal.attacks import Attack, Exposure, Finding, Homogeneity, RiskyColumns, Skewness, TableRisk
from shoal.jobs.attack import exposed
from shoal.randomness import Randomness

SAMPLED = 3_016
ATTACKS: dict[str, Attack] = {
    "prosecutor": TableRisk("prosecutor"),
    "columns": RiskyColumns(3),
    "homogeneity": Homogeneity(),
    "skewness": Skewness(),
}


def main(folder: Path) -> dict[str, float]:
    """Attack, and tell how long each attack took beside what it achieved."""
    if not ADULT.exists():
        return {"skipped_for_want_of_data": 1}
    schema = adult_schema(folder, *SALARY_SENSITIVE)
    people = pl.read_csv(ADULT / "adult.csv", separator=";")
    drawn = np.sort(np.random.default_rng(1).choice(len(people), SAMPLED, replace=False))
    people[drawn].write_csv(folder / "some.csv")
    people.write_csv(folder / "all.csv")
    results: dict[str, float] = {}
    for name, file in (("raw", "all"), ("raw_some", "some")):
        exposure = exposed(folder / f"{file}.csv", schema=schema, population=folder / "all.csv")
        results |= _attacked(name, exposure)
    for name, file in (("k5", "all"), ("k5_some", "some")):
        out, ledger = folder / f"{name}-release", folder / f"{name}-ledger"
        shoal.publish(
            folder / f"{file}.csv",
            schema=str(schema),
            models=["k-anonymity:k=5"],
            method="mondrian",
            out=str(out),
            ledger=str(ledger),
            force=True,
        )
        results |= _attacked(name, exposed(out, ledger, population=folder / "all.csv"))
    return results


def _attacked(name: str, exposure: Exposure) -> dict[str, float]:
    tried = {**ATTACKS, "journalist": TableRisk("journalist")} if name.endswith("some") else ATTACKS
    results: dict[str, float] = {}
    for what, attack in tried.items():
        found, seconds, _ = measured(lambda attack=attack: attack.run(exposure, Randomness(1)))
        results |= {f"{name}_{what}_{key}": value for key, value in _figures(found).items()}
        results[f"{name}_{what}_seconds"] = round(seconds, 2)
    return results


def _figures(found: Finding) -> dict[str, float]:
    rates = {"main": found.main, "baseline": found.baseline, "control": found.control, "largest": found.largest}
    return {key: round(float(value), 6) for key, value in {**rates, **found.details}.items()}
