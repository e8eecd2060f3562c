"""Search a lattice of 25,920 nodes over 1.2 million generated records × 9 quasi-identifiers, beside one group-by."""

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from measuring import peak
from shoal.anonymizers import Allowance, Lattice
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import promises

ROWS = 1_200_000
# how many values a column has, how many labels each level above, and how skewed it is: like a health survey
COLUMNS = {
    "year": ((13, 7, 4, 2, 1), 0.0),
    "quarter": ((4, 2), 0.0),
    "region": ((4, 2), 0.2),
    "person": ((25, 6, 2), 1.5),
    "age": ((86, 18, 9, 3), 0.0),
    "marital": ((10, 3), 0.9),
    "sex": ((2,), 0.0),
    "race": ((16,), 2.0),
    "education": ((26,), 0.7),
}


def main(_folder: Path) -> dict[str, Any]:
    """Find the optimum with and without 2 % withheld, and compare with the time of one group-by of the rows."""
    table = _table()
    group_by = min(_group_by(table) for _ in range(3))
    before = peak()
    measured: dict[str, Any] = {"group_by_seconds": round(group_by, 3), "peak_mib_of_the_data": before}
    for share in (0, 0.02):
        for loss in ("loss-mean", "discernability"):
            began = time.perf_counter()
            models = [promises.read("k-anonymity:k=5")]
            allowance = Allowance.of_records(table, int(share * ROWS))
            outcome = Lattice(loss=loss).searched(TableLattice(table, LocalEngine()), models, allowance)
            seconds = time.perf_counter() - began
            assert outcome.best is not None
            name = f"{'withheld' if share else 'whole'}_{loss.replace('-', '_')}"
            measured[f"{name}_seconds"] = round(seconds, 2)
            measured[f"{name}_group_bys"] = round(seconds / group_by, 1)
            measured[f"{name}_looked_at"] = len(outcome.evaluated)
            print(name, measured[f"{name}_seconds"], len(outcome.evaluated), outcome.best, flush=True)
    measured["nodes"] = outcome.nodes
    measured["peak_mib_above_the_data"] = round(peak() - before, 1)
    return measured


def _table() -> Microdata:
    chance = np.random.default_rng(1)
    columns = []
    for name, (sizes, skew) in COLUMNS.items():
        shares = 1 / np.arange(1, sizes[0] + 1) ** skew
        codes = chance.choice(sizes[0], ROWS, p=shares / shares.sum()).astype(np.int32)
        values = pl.Series([f"{name} {code:04d}" for code in range(sizes[0])])
        levels, below = [], np.arange(sizes[0])
        for narrow, wide in pairwise(sizes):
            below = below * wide // narrow  # labels of one level are joined to those of the next
            levels.append(pl.Series([f"{name} level {code}" for code in below]))
        hierarchy = Hierarchy.from_columns([values, *levels, pl.Series(["*"] * sizes[0])])
        column = Column.encode(name, Role.QUASI_IDENTIFIER, values)
        columns.append(Column(name, Role.QUASI_IDENTIFIER, column.vocabulary, codes, hierarchy))
    return Microdata(tuple(columns))


def _group_by(table: Microdata) -> float:
    frame = pl.DataFrame({column.name: column.codes for column in table.columns})
    began = time.perf_counter()
    frame.group_by(frame.columns).len()
    return time.perf_counter() - began
