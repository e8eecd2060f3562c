"""Search the lattice of Adult for promises that adding records to a group may break, with 2 % to withhold.

``before``: nodes are looked at in the order of what they cost at least, until none can be better than the best found;
``after``: the search, which also rules out all nodes below one that splitting groups cannot mend. ARX looks at 2,120 of
the 4,320 nodes for k = 5 and t = 0.2.
"""

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from adult import QUASI_IDENTIFIERS, adult
from measuring import measured
from shoal.anonymizers import Allowance, Lattice
from shoal.anonymizers.generalization.node_evaluation import EvaluatedNode, NodeEvaluation
from shoal.anonymizers.generalization.node_loss import node_loss
from shoal.anonymizers.generalization.search import LatticeSearch
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata
from shoal.engines import LocalEngine
from shoal.models import PrivacyModel, promises

ASKED = (
    ("k-anonymity:k=5", "t-closeness:t=0.2"),
    ("k-anonymity:k=5", "t-closeness:t=0.4"),
    ("k-anonymity:k=5", "l-diversity:l=3,kind=entropy"),
    ("k-anonymity:k=5", "l-diversity:l=2,kind=recursive,c=3"),
    ("t-closeness:t=0.3",),
)
SHARE = 0.02


def main(folder: Path) -> dict[str, Any]:
    """Count nodes and seconds of both, and of the search without withholding; both must find the same."""
    table = adult(folder)
    if table is None:
        return {"skipped_for_want_of_data": 1}
    points = []
    for asked in ASKED:
        points.append(_point(table, asked))
        print(points[-1], flush=True)
    first = points[0]
    return {
        "points": points,
        "looked_at_before_k5_t0.2": first["before"]["looked_at"],
        "looked_at_after_k5_t0.2": first["after"]["looked_at"],
        "least_times_fewer_nodes": min(_times_fewer(each, "looked_at") for each in points),
        "least_times_faster": min(_times_fewer(each, "seconds") for each in points),
    }


def _times_fewer(point: dict[str, Any], what: str) -> float:
    return round(point["before"][what] / point["after"][what], 1)


def _point(table: Microdata, asked: tuple[str, ...]) -> dict[str, Any]:
    models, spare = [promises.read(wording) for wording in asked], Allowance.of_records(table, int(SHARE * len(table)))
    method = Lattice()
    whole, without, _ = measured(
        lambda: method.searched(TableLattice(table, LocalEngine()), models, Allowance(0, 0)), repeat=2
    )
    best, looked_at, before = _by_bounds_alone(table, models, spare)
    after, seconds, _ = measured(lambda: method.searched(TableLattice(table, LocalEngine()), models, spare), repeat=2)
    assert after.best is not None
    assert after.best.rank == best.rank, "the same optimum"
    return {
        "promises": list(asked),
        "nodes": after.nodes,
        "best": list(best.node),
        "withheld": best.withheld,
        "loss": round(best.loss, 6),
        "without_withholding": {"looked_at": len(whole.evaluated), "seconds": without},
        "before": {"looked_at": looked_at, "seconds": before},
        "after": {"looked_at": len(after.evaluated), "seconds": seconds},
    }


def _by_bounds_alone(
    table: Microdata, models: list[PrivacyModel], spare: Allowance
) -> tuple[EvaluatedNode, int, float]:
    """Look at nodes in the order of what they cost at least: the best, how many were looked at, and the seconds."""
    began = time.perf_counter()
    base = TableLattice(table, LocalEngine()).hash_table(models)
    loss = node_loss("loss-mean", base, [Fraction(1)] * len(QUASI_IDENTIFIERS))
    evaluation = NodeEvaluation(base, models, spare, loss)
    nodes = LatticeSearch(evaluation).nodes
    bounds = loss.bounds(nodes, np.zeros(len(nodes)))
    best = None
    for index in np.argsort(bounds, kind="stable").tolist():
        if best is not None and bounds[index] >= best.loss:
            break
        found = evaluation.at(nodes[index].tolist())
        if found.keeps and (best is None or found.rank < best.rank):
            best = found
    assert best is not None
    return best, len(evaluation.found), round(time.perf_counter() - began, 4)
