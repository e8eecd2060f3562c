"""Groups of records, their loss, and the outliers whose withholding lowers it.

The loss of a group is the sum of the squared distances of its points to their mean. *Outliers*: in each group the unit
(a record, or all records of one person) is withheld that saves most per record, then the one that saves most without
it, as long as it saves more than its records cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.anonymizers.grouping import group_means
from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.withholding import Removal
from shoal.data import Microdata
from shoal.engines import Engine
from shoal.evidence import GroupCounts
from shoal.kernels.numbering import distinct_keys
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .standardized_points import standardized_points

__all__ = ["RecordGrouping", "RecordGroups", "outlier_removals"]


@dataclass(frozen=True, eq=False)
class RecordGroups:
    """The groups 0, 1, … of some rows of a table."""

    rows: np.ndarray
    labels: np.ndarray
    whole: bool
    """Whether there was time to work on all groups."""


class RecordGrouping:
    """The task of grouping a table, or some of its records, and the loss of a solution."""

    def __init__(
        self,
        table: Microdata,
        points: np.ndarray,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        everybody: GroupCounts | None = None,
    ) -> None:
        """Group a table, among the records of ``everybody`` where these are more than the table has."""
        self.table, self.points, self.models, self.randomness = table, points, models, randomness
        self._engine, self._everybody = engine, everybody
        self.everybody = np.arange(len(table))

    @cached_property
    def whole_points(self) -> np.ndarray:
        """The records as points of all attributes, centered, on which the loss is computed."""
        points = standardized_points(self.table.quasi_identifiers)
        return points - points.mean(axis=0)

    @property
    def cost(self) -> float:
        """The loss of a withheld record: the mean loss of a record where all are one group."""
        return float((self.whole_points**2).sum()) / len(self.table)

    @property
    def units(self) -> np.ndarray:
        """The unit of each record, which is withheld as a whole: the record, or all records of its person."""
        return self.everybody if self.table.persons is None else distinct_keys(self.table.persons)[0]

    def without(self, rows: np.ndarray) -> np.ndarray:
        """Return all other rows."""
        return np.delete(self.everybody, rows)

    def rest(self, rows: np.ndarray) -> Microdata:
        """Return the table of these rows alone."""
        return self.table if len(rows) == len(self.table) else self.table.take(rows)

    def promises(self, rows: np.ndarray) -> GroupPromises:
        """Return the judge of groups of these rows, published together."""
        return GroupPromises(self.rest(rows), self.models, self._engine, self._everybody)

    def keeps(self, made: RecordGroups) -> bool:
        """Decide whether there are groups, and all of them keep the promises."""
        n_groups = int(made.labels.max(initial=-1)) + 1
        kept = self.promises(made.rows).kept(np.arange(len(made.rows)), made.labels, n_groups)
        return n_groups > 0 and bool(kept.all())

    def loss(self, made: RecordGroups) -> float:
        """Return the sum of the squared distances to the means of groups, plus the cost of withheld records."""
        points = self.whole_points[made.rows]
        distances = points - group_means(points, made.labels)[made.labels]
        return float((distances**2).sum()) + self.cost * (len(self.table) - len(made.rows))


def outlier_removals(points: np.ndarray, labels: np.ndarray, units: np.ndarray, cost: float) -> list[list[Removal]]:
    """Return, for each group 0, 1, …, the units to withhold in order; each withheld record costs ``cost``.

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
    """Return what the group of each unit saves without it, per record of the unit; the last unit of a group saves 0."""
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
