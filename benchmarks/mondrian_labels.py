"""Mondrian: what pooling branches that break a promise saves, and what labels that are safe cost and spare.

Loss-mean on Adult with its eight quasi-identifiers, cut as the paper cuts (one branch that breaks a promise refuses the
whole cut) and with such branches pooled; and, with tight and with safe labels, on Adult and on the numbers of Census
and EIA, beside what the attack ``downcoding`` makes of them. Needs the data sets beside the project.
"""

from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import polars as pl

from adult import adult
from measuring import SHARED
from shoal import road
from shoal.anonymizers import Mondrian
from shoal.anonymizers.generalization.pooled_parts import CandidateParts
from shoal.attacks import Downcoding, Exposure
from shoal.data import Column, Microdata, Role
from shoal.models import KAnonymity
from shoal.randomness import Randomness

K = 5
MODES = (Mondrian(), Mondrian(mode="relaxed"), Mondrian(numbers="hierarchy"))
FIGURES = ("people_singled_out", "generalized_cells_guessed", "predicates_that_hold")


def main(folder: Path) -> dict[str, Any]:
    """Cut Adult with and without pooling, and all three tables with both kinds of labels."""
    table = adult(folder)
    if table is None:
        return {"skipped_for_want_of_data": 1}
    points = [
        {"table": "adult", "pooled": True, **_cut(table, Mondrian(each.mode, each.numbers, "tight"))} for each in MODES
    ]
    with mock.patch("shoal.anonymizers.generalization.cut_segments.pooled_parts", _refused):
        points += [
            {"table": "adult", "pooled": False, **_cut(table, Mondrian(each.mode, each.numbers, "tight"))}
            for each in MODES
        ]
    for name, data in (("adult", table), ("census", _numbers("census")), ("eia", _numbers("eia"))):
        points += [
            {"table": name, **_cut(data, Mondrian(labels=labels), attacked=True)} for labels in ("tight", "safe")
        ]
    return {"k": K, "points": points}


def _refused(parts: CandidateParts) -> tuple[np.ndarray, np.ndarray]:
    """Cut a group only where every part keeps the promises."""
    kept = parts.kept_alone()
    firsts = np.concatenate([[0], np.cumsum(parts.n_parts)[:-1]])
    numbers = np.arange(len(parts.owners)) - firsts[parts.owners]
    return numbers, np.where(np.logical_and.reduceat(kept, firsts), parts.n_parts, 1)


def _numbers(name: str) -> Microdata:
    frame = pl.read_csv(SHARED / "tables" / "casc" / f"{name}.csv")
    if name == "eia":
        frame = frame.select("UTILITYID", *frame.columns[5:])
    return Microdata(tuple(Column.encode(column.name, Role.QUASI_IDENTIFIER, column) for column in frame))


def _cut(table: Microdata, method: Mondrian, *, attacked: bool = False) -> dict[str, Any]:
    model = KAnonymity(K)
    release, ledger = road.publish(table, [model], method, randomness=Randomness(1))
    point: dict[str, Any] = {"method": str(method), "loss_mean": round(float(ledger.report["loss-mean"]), 4)}
    if attacked:
        place = np.full(len(table), -1, np.int64)
        place[ledger.origins] = np.arange(len(ledger.origins))
        outcome = Downcoding().run(Exposure(table, release.records, place, (model,), method=str(method)), Randomness(1))
        point |= {name: round(float(outcome.details[name]), 4) for name in FIGURES}
    print(point, flush=True)
    return point
