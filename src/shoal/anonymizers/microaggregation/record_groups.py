"""Records in groups that are told by what is in their middle, and what is lost by it.

Points so far out that their groups lose more by them than is lost where they are left out.

*How they are found.* A group loses the sum of the squared distances of its points to their mean. In each group that
unit (a record, or all records of one person) is left out which saves most a record, then the one that saves most
without it, for as long as it saves more than its records cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import polars as pl

from shoal.anonymizers.grouping import group_means, group_offsets
from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.withholding import Removal
from shoal.data import Column, Microdata, Vocabulary
from shoal.engines import Engine
from shoal.kernels.numbering import distinct_keys
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .standardized_points import record_points

__all__ = ["RecordGrouping", "RecordGroups", "far_points", "group_centroids"]


@dataclass(frozen=True, eq=False)
class RecordGroups:
    """Some rows of a table in groups 0, 1, …"""

    rows: np.ndarray
    labels: np.ndarray
    whole: bool
    """Whether there was time to work on all groups."""


class RecordGrouping:
    """A table whose records are to be grouped, or some of them; and what is lost by it."""

    def __init__(
        self,
        table: Microdata,
        points: np.ndarray,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
    ) -> None:
        self.table, self.points, self.models, self.randomness = table, points, models, randomness
        self._engine = engine
        self.everybody = np.arange(len(table))

    @cached_property
    def whole_points(self) -> np.ndarray:
        """The records as points of all attributes, by which what is lost is reckoned, about their mean."""
        points = record_points(self.table.quasi_identifiers)
        return points - points.mean(axis=0)

    @property
    def cost(self) -> float:
        """What a withheld record costs: as much as one loses on average where all are told by one mean."""
        return float((self.whole_points**2).sum()) / len(self.table)

    @property
    def units(self) -> np.ndarray:
        """What is left out as a whole: a record, or all records of a person."""
        return self.everybody if self.table.persons is None else distinct_keys(self.table.persons)[0]

    def without(self, rows: np.ndarray) -> np.ndarray:
        """Return all other rows."""
        return np.delete(self.everybody, rows)

    def rest(self, rows: np.ndarray) -> Microdata:
        """Return the table of these rows alone."""
        return self.table if len(rows) == len(self.table) else self.table.take(rows)

    def promises(self, rows: np.ndarray) -> GroupPromises:
        """Return what judges groups of these rows, as what is published together."""
        return GroupPromises(self.rest(rows), self.models, self._engine)

    def keeps(self, made: RecordGroups) -> bool:
        """Tell whether there are groups, and all of them keep the promises."""
        n_groups = int(made.labels.max(initial=-1)) + 1
        kept = self.promises(made.rows).kept(np.arange(len(made.rows)), made.labels, n_groups)
        return n_groups > 0 and bool(kept.all())

    def lost(self, made: RecordGroups) -> float:
        """Return the squared distances of all records to the means of their groups; withheld ones have their cost."""
        points = self.whole_points[made.rows]
        distances = points - group_means(points, made.labels)[made.labels]
        return float((distances**2).sum()) + self.cost * (len(self.table) - len(made.rows))


_EXACT = 2**53
"""Beyond it not every whole number is a double."""


def group_centroids(column: Column, labels: np.ndarray) -> Column:
    """Return the column in which every record has what stands for its group 0, 1, …

    For numbers that is the mean and for dates the mean day, of those that are there: missing where most are missing.
    Means of whole numbers and of dates are exact but for one rounding, to the nearest double or, of dates and in a
    column that has whole numbers beyond 2⁵³, to the nearest whole number, the even one of two.
    Where ``categories`` declare an order it is the median, the lower of two. Otherwise it is the most common value, of
    several the first in the order of the vocabulary.
    """
    if column.vocabulary.is_ordered:
        return _by_mean(column, labels)
    ranks = column.rank_of
    stand_ins = _modes(column.codes, labels) if ranks is None else _medians(column.codes, ranks, labels)
    return column.recoded(column.vocabulary, stand_ins[labels])


def _by_mean(column: Column, labels: np.ndarray) -> Column:
    values = column.vocabulary.values
    order, begins = group_offsets(labels)
    if values.dtype.is_integer() or values.dtype.is_temporal():
        means, present = _whole_means(values, column.codes[order], begins)
    else:
        numbers = column.vocabulary.numbers[column.codes]
        # sorted within the group, so that the last digit does not depend on the order of records
        numbers = numbers[order[np.lexsort([numbers[order], labels[order]])]]
        means, present = _means(numbers, begins)
        means = pl.Series(means)
    mostly_there = pl.Series(2 * present >= np.diff(begins)) & pl.Series(present > 0)
    vocabulary, codes = Vocabulary.encode(pl.select(pl.when(mostly_there).then(means).otherwise(None)).to_series())
    return column.recoded(vocabulary, codes[labels])


def _whole_means(values: pl.Series, codes: np.ndarray, begins: np.ndarray) -> tuple[pl.Series, np.ndarray]:
    """Return the mean of the whole numbers or dates that are there in each stretch, and how many they are."""
    whole = values.to_physical().cast(pl.Int64)
    there = whole.is_not_null().to_numpy()
    known = whole.fill_null(0).to_numpy()
    firsts = begins[:-1]
    present = np.add.reduceat(there[codes], firsts, dtype=np.int64)
    # the upper and the lower half of each number, neither of which has too large a sum
    upper, lower = (np.add.reduceat(half[codes], firsts) for half in (known >> 32, known & 0xFFFFFFFF))
    sums = zip(upper.tolist(), lower.tolist(), np.maximum(present, 1).tolist(), strict=True)
    means = [Fraction((high << 32) + low, number) for high, low, number in sums]
    if values.dtype.is_numeric() and known.min(initial=0) >= -_EXACT and known.max(initial=0) <= _EXACT:
        return pl.Series([float(mean) for mean in means], dtype=pl.Float64), present
    rounded = pl.Series([round(mean) for mean in means], dtype=pl.Int64)
    return rounded.cast(values.to_physical().dtype).cast(values.dtype), present


def _means(numbers: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of the numbers that are there in each stretch, ascending with NaN last, and how many they are."""
    firsts, there = begins[:-1], ~np.isnan(numbers)
    present = np.add.reduceat(there, firsts, dtype=np.int64)
    known = np.where(there, numbers, 0.0)
    # in powers of two, which round nothing: the sum of the largest numbers would be none
    powers = np.frexp(np.maximum.reduceat(np.abs(known), firsts))[1]
    sums = np.add.reduceat(np.ldexp(known, -np.repeat(powers, np.diff(begins))), firsts)
    means = np.ldexp(sums / np.maximum(present, 1), powers)
    # rounding must not lead past the lowest and the highest: ten times 0.1 is 0.1 on average
    means = np.clip(means, known[firsts], known[firsts + np.maximum(present - 1, 0)])
    return means + 0.0, present  # of two zeros the one without a sign


def _medians(codes: np.ndarray, ranks: np.ndarray, labels: np.ndarray) -> np.ndarray:
    order = np.lexsort([codes, ranks[codes], labels])
    begins = np.searchsorted(labels[order], np.arange(labels.max() + 2))
    return codes[order[(begins[:-1] + begins[1:] - 1) // 2]]


def _modes(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    n_values = int(codes.max()) + 1
    pairs, counts = np.unique(labels * n_values + codes, return_counts=True)
    groups, values = np.divmod(pairs, n_values)
    best = np.lexsort([values, -counts, groups])
    return values[best[np.searchsorted(groups, np.arange(labels.max() + 1))]]


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
