"""Search the lattice of Adult's eight quasi-identifiers, warm: time, and how many nodes were looked at."""

import time
from pathlib import Path
from typing import Any

from adult import adult
from shoal.anonymizers import Lattice
from shoal.anonymizers.table_lattice import TableLattice
from shoal.engines import LocalEngine
from shoal.models import promises

SHARES = (0, 0.02)


def main(folder: Path) -> dict[str, Any]:
    """Find the optimum for every k, loss and budget; from the table in memory to the node, the best of three runs."""
    table = adult(folder)
    if table is None:
        return {"skipped_for_want_of_data": 1}
    points = []
    for k in (2, 5, 10, 100):
        for share in SHARES:
            for loss in ("loss-mean", "discernability"):
                points.append(_point(table, k, share, loss))
                print(points[-1], flush=True)
    measured: dict[str, Any] = {"points": points}
    for share in SHARES:
        some = [point for point in points if point["withheld_share"] == share]
        name = "with_2_percent_withheld" if share else "without_withholding"
        for loss in ("loss-mean", "discernability"):
            slowest = max(point["seconds"] for point in some if point["loss"] == loss)
            measured[f"slowest_{name}_{loss.replace('-', '_')}"] = slowest
    measured["slowest_all_minimal"] = max(_minimal(table, k) for k in (2, 5, 10, 100))
    return measured


def _point(table: Any, k: int, share: float, loss: Any) -> dict[str, Any]:
    models, method = [promises.read(f"k-anonymity:k={k}")], Lattice(loss=loss)
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        outcome = method.searched(TableLattice(table, LocalEngine()), models, int(share * len(table)))
        seconds.append(time.perf_counter() - began)
    assert outcome.best is not None
    return {
        "k": k,
        "withheld_share": share,
        "loss": loss,
        "seconds": round(min(seconds), 4),
        "looked_at": len(outcome.evaluated),
        "best": list(outcome.best.node),
        "value": round(outcome.best.loss, 6),
    }


def _minimal(table: Any, k: int) -> float:
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        Lattice(loss="height").searched(
            TableLattice(table, LocalEngine()), [promises.read(f"k-anonymity:k={k}")], 0, minimal=True
        )
        seconds.append(time.perf_counter() - began)
    return round(min(seconds), 4)
