"""Figures 5.4 and 5.5 of the thesis on Census-Income: time and loss of `approximate` beside `mdav`.

Varied are the share of the rows (20 to 100 %), k and the number of attributes; where not said, k = 20, all rows and all
nine attributes.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from measuring import SHARED
from shoal.anonymizers import Microaggregation
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.utility import MEASURES, Comparison, measured

ATTRIBUTES = {
    "age": 0,
    "weeks worked": 39,
    "occupation": 3,
    "industry": 2,
    "persons worked for employer": 30,
    "wage per hour": 5,
    "dividends": 18,
    "capital gains": 16,
    "capital losses": 17,
}
"""Their places in a line."""
METHODS = ("mdav", "approximate")


def main(_folder: Path) -> dict[str, Any]:
    """Vary one thing at a time."""
    census = _census()
    if census is None:
        return {"skipped_for_want_of_data": 1}
    _compared(census.take(np.arange(500)), 5)  # compiles
    order = np.random.default_rng(1).permutation(len(census))
    shares = [_compared(census.take(order[: len(order) * share // 100]), 20) for share in (20, 40, 60, 80, 100)]
    sizes = [_compared(census, k) for k in (5, 10, 20, 40)]
    widths = [_compared(Microdata(census.columns[:width]), 20) for width in (5, 6, 7, 8, 9)]
    return {"records": len(census), "by_share": shares, "by_k": sizes, "by_attributes": widths}


def _census() -> Microdata | None:
    folder = SHARED / "tables" / "census-income-kdd"
    if not folder.exists():
        return None
    files = [folder / f"census_income_1994_1995_{name}.csv.gz" for name in ("train", "test")]
    frame = pl.concat([pl.read_csv(file, has_header=False, infer_schema=False) for file in files])
    return Microdata(
        tuple(
            Column.encode(name, Role.QUASI_IDENTIFIER, frame[:, place].str.strip_chars().cast(pl.Int64))
            for name, place in ATTRIBUTES.items()
        )
    )


def _compared(table: Microdata, k: int) -> dict[str, Any]:
    point: dict[str, Any] = {"records": len(table), "k": k, "attributes": len(table.columns)}
    engine = LocalEngine()
    for method in METHODS:
        began = time.perf_counter()
        models = [promises.read(f"k-anonymity:k={k}")]
        recoding = Microaggregation(method=method).recode(table, models, engine, Randomness(1))
        point[f"{method}_seconds"] = round(time.perf_counter() - began, 2)
        made = recoding.records
        sizes = engine.count(made, engine.group(made), sensitive=False).sizes
        comparison = Comparison(table, np.arange(len(table)), made, sizes)
        point[f"{method}_loss"] = round(
            measured(comparison, [MEASURES["information loss"]]).values["information loss"], 3
        )
        point[f"{method}_attributes"] = int(recoding.notes.get("key attributes", len(table.columns)))
    print(point, flush=True)
    return point
