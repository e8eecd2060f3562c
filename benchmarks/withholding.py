"""What withholding 2 % of the records saves where a method spends them while it groups, beside withholding none.

``mondrian`` on a thousand records of which eight lie far out in everything, and on Adult with its eight
quasi-identifiers: loss-mean, in which a withheld record is lost whole. ``microaggregation`` on Census: information
loss, in which a withheld record counts as one that is published as the mean of all. Real data sets are read from
beside the project.
"""

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from adult import adult
from measuring import SHARED
from shoal import road
from shoal.anonymizers import Anonymizer, Microaggregation, Mondrian
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.utility import MEASURES, Comparison

SHARES = (Fraction(0), Fraction(1, 50))
CENSUS = SHARED / "tables" / "casc" / "census.csv"


def main(folder: Path) -> dict[str, Any]:
    """Publish every table with and without withholding; the loss, how many are withheld, and the seconds it took."""
    cases: list[tuple[str, Microdata | None, Anonymizer, tuple[int, ...]]] = [
        ("outliers", outliers(), Mondrian(), (5, 20)),
        ("outliers", outliers(), Mondrian(labels="tight"), (5, 20)),
        ("outliers", outliers(), Microaggregation(passes=2), (20,)),
        ("adult", adult(folder), Mondrian(), (5, 20, 100)),
        ("census", _census(), Microaggregation(method="mdav"), (5, 20)),
        ("census", _census(), Microaggregation(passes=2), (5, 20)),
    ]
    points = []
    for name, table, method, sizes in cases:
        if table is None:
            continue
        _published(table.take(np.arange(100)), method, 5, SHARES[1])  # compiles
        points += [{"table": name, **_published(table, method, k, share)} for k in sizes for share in SHARES]
    return {"points": points}


def outliers() -> Microdata:
    """Return a thousand people of two towns, but for eight: each is of a place of its own, and far out in numbers."""
    rng = np.random.default_rng(7)
    towns = [("Lund", "Ystad")[each] for each in rng.integers(0, 2, 1000)]
    ages, weights = rng.integers(20, 80, (2, 1000))
    for number, row in enumerate(range(0, 1000, 125)):
        towns[row], ages[row], weights[row] = f"place {number}", 100 + 3 * number, 400 - 20 * number
    known = sorted(set(towns))
    tree = Hierarchy.from_columns([pl.Series(known), pl.Series(["*"] * len(known))])
    numbers = (("age", ages), ("weight", weights))
    columns = [Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values)) for name, values in numbers]
    columns.append(Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(towns)).with_hierarchy(tree))
    return Microdata(tuple(columns))


def _census() -> Microdata | None:
    if not CENSUS.exists():
        return None
    columns = pl.read_csv(CENSUS)
    return Microdata(tuple(Column.encode(column.name, Role.QUASI_IDENTIFIER, column) for column in columns))


def _published(table: Microdata, method: Anonymizer, k: int, share: Fraction) -> dict[str, Any]:
    began = time.perf_counter()
    release, ledger = road.publish(
        table, [KAnonymity(k)], method, randomness=Randomness(1), withhold=share, accept=[road.EMPTY]
    )
    seconds = time.perf_counter() - began
    comparison = Comparison(table, ledger.origins, release.records, np.zeros(0, np.int64))
    measure = "loss-mean" if isinstance(method, Mondrian) else "information loss"
    point = {
        "method": str(method),
        "k": k,
        "withhold": float(share),
        "withheld": comparison.withheld,
        measure: round(float(MEASURES[measure](comparison)), 4),
        "seconds": round(seconds, 2),
    }
    print(point, flush=True)
    return point
