"""Search the lattice of Adult's eight quasi-identifiers, warm: time, and how many nodes were looked at."""

from pathlib import Path
from typing import Any

from adult import adult
from measuring import measured
from shoal.anonymizers import Allowance, Lattice
from shoal.anonymizers.generalization.table_lattice import TableLattice
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
    published: dict[str, Any] = {"points": points}
    for share in SHARES:
        some = [point for point in points if point["withheld_share"] == share]
        name = "with_2_percent_withheld" if share else "without_withholding"
        for loss in ("loss-mean", "discernability"):
            slowest = max(point["seconds"] for point in some if point["loss"] == loss)
            published[f"slowest_{name}_{loss.replace('-', '_')}"] = slowest
    published["slowest_all_minimal"] = max(_minimal(table, k) for k in (2, 5, 10, 100))
    return published


def _point(table: Any, k: int, share: float, loss: Any) -> dict[str, Any]:
    models, method = [promises.read(f"k-anonymity:k={k}")], Lattice(loss=loss)
    spare = Allowance.of_records(table, int(share * len(table)))
    outcome, seconds, _ = measured(lambda: method.searched(TableLattice(table, LocalEngine()), models, spare), repeat=3)
    return {
        "k": k,
        "withheld_share": share,
        "loss": loss,
        "seconds": seconds,
        "looked_at": len(outcome.evaluated),
        "best": list(outcome.best.node),
        "value": round(outcome.best.loss, 6),
    }


def _minimal(table: Any, k: int) -> float:
    models, method = [promises.read(f"k-anonymity:k={k}")], Lattice(loss="height")
    return measured(
        lambda: method.searched(TableLattice(table, LocalEngine()), models, Allowance(0, 0), minimal=True), repeat=3
    )[1]
