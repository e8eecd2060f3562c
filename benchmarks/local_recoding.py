"""Local recoding with k = 5: what methods and their settings lose, how long they take, and whom ``downcoding`` finds.

On Adult with its eight quasi-identifiers and hierarchies (30,162 records), and on two tables that differ from it and
from each other:

* ``census``: every 15th record of Census-Income (19,953), four numbers and three words, with suggested hierarchies;
* ``viewers``: the people of MovieLens 1M (6,040): gender, age, occupation and the masked zip code.

``before`` are the settings of the plain algorithm. ``withholding`` is what is lost if 2 % may be withheld, where cells
of records that are withheld are lost whole. Needs the data sets beside the project.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from adult import adult
from census import census_columns, census_frame
from measuring import SHARED
from shoal.anonymizers import Allowance, methods
from shoal.anonymizers.default_method import default_method
from shoal.attacks import Exposure, attacks
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine, judge
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.utility import Comparison
from shoal.utility.tables.generalization_loss import loss_mean

PROMISE = promises.read("k-anonymity:k=5")
SETTINGS = {
    "mondrian": "mondrian",
    "top_down_before": "top-down:numbers=hierarchy,search=0",
    "top_down_safe_no_search": "top-down:search=0",
    "top_down_safe": "top-down",
    "top_down_tight_no_search": "top-down:labels=tight,search=0",
    "top_down_tight": "top-down:labels=tight",
}
CENSUS = {"age": 0, "sex": 12, "race": 10, "marital": 7, "wage": 5, "dividends": 18, "weeks": 39}


def main(folder: Path) -> dict[str, Any]:
    """Measure every setting on every table."""
    found: dict[str, Any] = {}
    for name, table in (("adult", adult(folder, sensitive="")), ("census", _census()), ("viewers", _viewers())):
        if table is None:
            return {"skipped_for_want_of_data": 1}
        for setting, wording in SETTINGS.items():
            found |= {f"{name}_{setting}_{key}": value for key, value in _measured(table, wording).items()}
            print(name, wording, {k: v for k, v in found.items() if k.startswith(f"{name}_{setting}_")}, flush=True)
        withholding = _recoded(table, "top-down", spare=len(table) // 50)
        found[f"{name}_top_down_safe_withholding_loss_mean"] = withholding["loss_mean"]
        found[f"{name}_top_down_safe_withholding_records"] = withholding["withheld"]
        began = time.perf_counter()
        chosen, _ = default_method(table, [PROMISE])
        found[f"{name}_default_is_top_down"] = int(chosen.name == "top-down")
        found[f"{name}_default_seconds"] = round(time.perf_counter() - began, 2)
    return found


def _measured(table: Microdata, wording: str) -> dict[str, Any]:
    _recoded(table.take(np.arange(200)), wording)  # compiles
    made = _recoded(table, wording)
    exposure = Exposure(table, made["published"], np.arange(len(table)), (PROMISE,), method=wording)
    attack = attacks.read("downcoding").run(exposure, Randomness(0))
    return {
        "loss_mean": made["loss_mean"],
        "seconds": made["seconds"],
        "singled_out": round(float(attack.details["people_singled_out"]), 4),
    }


def _recoded(table: Microdata, wording: str, spare: int = 0) -> dict[str, Any]:
    began = time.perf_counter()
    made = methods.read(wording).recode(
        table, [PROMISE], LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(table, spare)
    )
    seconds = time.perf_counter() - began
    left = np.arange(len(table)) if made.withheld is None else np.flatnonzero(~made.withheld)
    published = made.records.take(left)
    judgment = judge(published, [PROMISE], LocalEngine())
    assert judgment.holds
    sizes = np.bincount(judgment.groups.grouping.labels)
    loss = loss_mean(Comparison(table, left, published, sizes, k=5))
    return {
        "published": published,
        "seconds": round(seconds, 2),
        "loss_mean": round(float(loss), 5),
        "withheld": len(table) - len(left),
    }


def _census() -> Microdata | None:
    frame = census_frame()
    if frame is None:
        return None
    return Microdata(tuple(census_columns(frame[::15], CENSUS, ("age", "wage", "dividends", "weeks"))))


def _viewers() -> Microdata | None:
    file = SHARED / "ratings" / "ml-1m" / "users.dat"
    if not file.exists():
        return None
    rows = [line.split("::") for line in file.read_text(encoding="latin-1").splitlines()]
    columns = []
    for place, name in enumerate(("gender", "age", "occupation", "zip"), start=1):
        values = pl.Series([row[place][:5] for row in rows])
        column = Column.encode(name, Role.QUASI_IDENTIFIER, values.cast(pl.Int64) if name == "age" else values)
        build = Hierarchy.from_masks if name == "zip" else Hierarchy.suggest
        columns.append(column.with_hierarchy(build(column.vocabulary)))
    return Microdata(tuple(columns))
