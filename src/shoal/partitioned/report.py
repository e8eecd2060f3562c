"""What a release of a table that is not in memory costs: measures that follow from how many records have each value.

They are defined where those of tables in memory are, in ``utility``; here they are summed by value, not by record.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from shoal.anonymizers.generalization.node_loss import leaf_costs
from shoal.data import Role

from .generalization import Generalization
from .lattice import hierarchies_of

__all__ = ["report_of"]


def report_of(
    plan: Generalization, counts: Sequence[np.ndarray], sizes: Mapping[int, int], unique: int, k: int | None
) -> dict[str, int | float]:
    """Return measures by name; ``counts`` are the published records by value, ``unique`` those like no other."""
    table = plan.table
    n, published, groups = table.n_records, int(counts[0].sum()), sum(sizes.values())
    places = [i for i, column in enumerate(table.columns) if column.role is Role.QUASI_IDENTIFIER]
    cells, withheld = published * len(places), n - published
    changed = sum(int(counts[i][~plan.unchanged[i]].sum()) for i in places)
    distortion = sum(_distortion(counts[i], plan.maps[i]) for i in places)
    average = published / groups
    return {
        "distortion": distortion,
        "distortion per cell": distortion / cells,
        "cells changed": changed,
        "ratings invented": 0,
        "ratings dropped": 0,
        "records withheld": withheld,
        "cells kept": (cells - changed) / (n * len(places)),
        "original and unique": unique / published,
        "discernability": sum(size * size * number for size, number in sizes.items()) + withheld * n,
        "average group size": average,
        **({} if k is None else {"normalized average group size": average / k}),
        "loss-mean": _loss_mean(plan, [counts[i] for i in places], n),
    }


def _distortion(counts: np.ndarray, labels: np.ndarray) -> float:
    """Return the share of the values that occur that each record's label stands for besides its own, summed."""
    occurring = counts > 0
    values = int(np.count_nonzero(occurring))
    if values < 2:
        return 0.0
    covered = np.bincount(labels[occurring], minlength=int(labels.max()) + 1)
    return float((counts @ (covered[labels] - 1)) / (values - 1))


def _loss_mean(plan: Generalization, counts: Sequence[np.ndarray], n: int) -> float:
    losses = []
    for hierarchy, level, given in zip(hierarchies_of(plan.table), plan.node, counts, strict=True):
        cost = leaf_costs(hierarchy)[level][hierarchy.maps[level]]
        losses.append((float(given @ cost) + n - int(given.sum())) / n)
    return float(np.mean(losses))
