"""Points so far out that their groups lose more by them than is lost where they are left out.

*How they are found.* A group loses the sum of the squared distances of its points to their mean. In each group that
unit (a record, or all records of one person) is left out which saves most a record, then the one that saves most
without it, for as long as it saves more than its records cost.
"""

import numpy as np

from .removals import Removal

__all__ = ["far_points"]


def far_points(points: np.ndarray, labels: np.ndarray, units: np.ndarray, cost: float) -> list[list[Removal]]:
    """Return, for each group 0, 1, …, the units to leave out, one after the other; each record left out costs so much.

    Units are numbered 0, 1, …, and all points of a unit are in one group.
    """
    n_units = int(units.max(initial=-1)) + 1
    sizes, sums = np.bincount(units, minlength=n_units), _sums(points, units, n_units)
    squares = np.bincount(units, (points**2).sum(axis=1), minlength=n_units)
    groups = np.zeros(n_units, np.int64)
    groups[units] = labels
    found: list[list[Removal]] = [[] for _ in range(int(labels.max(initial=-1)) + 1)]
    order = np.argsort(units, kind="stable")
    begins = np.searchsorted(units[order], np.arange(n_units + 1))
    left = np.arange(n_units)
    while len(left):
        own, here = np.unique(groups[left], return_inverse=True)
        rates = _rates(sizes[left], sums[left], squares[left], here, len(own)) - cost
        best = _best_of_each(rates, here, len(own))
        best = best[rates[best] > 0]
        for at in best.tolist():
            unit = int(left[at])
            rows = order[begins[unit] : begins[unit + 1]]
            found[groups[unit]].append(Removal(rows, float(rates[at]) * len(rows)))
        goes_on = np.isin(here, here[best])
        goes_on[best] = False
        left = left[goes_on]
    return found


def _rates(sizes: np.ndarray, sums: np.ndarray, squares: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return what the group of each unit saves without it, a record of the unit; the last unit of a group saves 0."""
    whole = np.bincount(groups, sizes, minlength=n_groups)[groups]
    total = _sums(sums, groups, n_groups)[groups]
    rest = whole - sizes
    before = (total**2).sum(axis=1) / whole
    after = ((total - sums) ** 2).sum(axis=1) / np.maximum(rest, 1)
    return np.where(rest > 0, (squares - before + after) / sizes, 0.0)


def _sums(points: np.ndarray, labels: np.ndarray, n: int) -> np.ndarray:
    return np.stack([np.bincount(labels, axis, minlength=n) for axis in points.T], axis=1)


def _best_of_each(rates: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    order = np.lexsort([-rates, groups])
    return order[np.searchsorted(groups[order], np.arange(n_groups))]
