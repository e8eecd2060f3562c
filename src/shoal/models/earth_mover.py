"""How far the sensitive values of groups are from those of all records: earth mover's distances in whole numbers.

A group of n records, c(v) of which have the value v, is compared with all N records, C(v) of which have it.

* ``equal``: any two values are 1 apart. The distance is the sum of what the group has too much of,
  Σ max(0, c(v)·N − C(v)·n) / nN.
* ``hierarchical``: two values are as far apart as the level of their lowest common label, over the height. The distance
  is the mean of the above over the labels of each level below the root: earth is moved along the edges of a tree, and
  each carries what its side has too much or too little of.
* ``ordered``: two of m values are as far apart as their places, over m−1. The distance is Σ |P·N − Q·n| / nN(m−1) over
  all places, P and Q counting the records of the group and of all up to that place.

Numerators of 64 bits are used where the largest possible one fits, and whole numbers of any length where not.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from shoal.evidence import SensitiveValues, ValueCounts
from shoal.kernels.groups.sorted_groups import excess_over_all

__all__ = ["Distance", "EarthMover"]

Distance = Literal["equal", "ordered", "hierarchical"]

_LARGEST = 2**62
_CLOSE = 1e-9
"""Doubles err by far less than this share of their size; what is closer than that is compared exactly."""


@dataclass(frozen=True, eq=False, repr=False)
class EarthMover:
    """The distance of each group from all records, as a numerator over ``scale`` times the size of the group."""

    amounts: np.ndarray
    sizes: np.ndarray
    scale: int

    @classmethod
    def of(cls, counts: ValueCounts, distance: Distance) -> "EarthMover":
        """Measure every group."""
        known = counts.known
        assert known is not None, "judged only with the counts of all records"
        steps = _n_steps(known, distance)
        total = int(known.totals.sum())
        sizes = counts.sizes
        is_small = total * int(sizes.max(initial=0)) * max(steps, 1) < _LARGEST
        exact = np.dtype(np.int64 if is_small else object)
        if steps == 0:
            amounts = np.zeros(len(counts), exact)
        elif distance == "ordered":
            amounts = _between_places(counts, known, exact)
        else:
            amounts = _excess(counts, known.totals, exact)
            for labels in known.levels[1:] if distance == "hierarchical" else ():
                n_labels = int(labels.max()) + 1
                totals = np.zeros(n_labels, np.int64)
                np.add.at(totals, labels, known.totals)
                amounts += _excess(counts.by_label(labels, n_labels), totals, exact)
        return cls(amounts, sizes, total * max(steps, 1))

    def is_within(self, t: Fraction) -> np.ndarray:
        """Return the mask of the groups that are at most t from all records; t is below 1."""
        if t.numerator * self.scale * int(self.sizes.max(initial=0)) < _LARGEST:
            return np.asarray(self.amounts <= self.sizes * (t.numerator * self.scale) // t.denominator, bool)
        distinct, place = np.unique(self.sizes, return_inverse=True)
        limits = [t.numerator * self.scale * int(size) // t.denominator for size in distinct]
        return np.asarray(self.amounts <= np.array(limits, self.amounts.dtype)[place], bool)

    def fewest_beyond(self, t: Fraction) -> np.ndarray:
        """Return for each group how many of its records are in parts farther than t from all, at least, if it is split.

        The distance is convex: over the parts of a group, sizes times distances add up to no less than for the group.
        Of n records at a distance D, w are in parts that are at most 1 away, the others in parts within t, so that
        w + (n − w)·t ≥ nD.
        """
        far = np.flatnonzero(~self.is_within(t))
        whole, part = t.denominator, t.numerator
        is_small = self.scale * int(self.sizes.max(initial=0)) * whole < _LARGEST
        exact = np.dtype(np.int64 if is_small else object)
        missing = self.amounts[far].astype(exact) * whole - self.sizes[far].astype(exact) * (self.scale * part)
        fewest = np.zeros(len(self.sizes), np.int64)
        fewest[far] = -(-missing // (self.scale * (whole - part)))
        return fewest

    @property
    def distances(self) -> np.ndarray:
        """The distance of each group as a double: for display, not for verdicts."""
        return self.amounts.astype(np.float64) / (float(self.scale) * np.maximum(self.sizes, 1))

    def farthest(self) -> Fraction:
        """Return the distance of the group that is farthest from all records; 0 where there is no group."""
        distances = self.distances
        close = np.flatnonzero(distances >= distances.max(initial=0) * (1 - _CLOSE))
        pairs = set(zip(self.amounts[close].tolist(), self.sizes[close].tolist(), strict=True))
        return max((Fraction(amount, self.scale * max(size, 1)) for amount, size in pairs), default=Fraction(0))


def _n_steps(known: SensitiveValues, distance: Distance) -> int:
    """Return the number of steps between the two values that are farthest apart."""
    if distance == "ordered":
        return max(int(np.count_nonzero(known.totals)) - 1, 0)
    return len(known.levels) if distance == "hierarchical" else 1


def _excess(counts: ValueCounts, totals: np.ndarray, exact: np.dtype) -> np.ndarray:
    """Return the excess of values in each group over all records, times the sizes of both."""
    if exact == np.int64:
        return excess_over_all(counts.indptr, counts.values, counts.counts, totals)
    sizes = counts.sizes.astype(exact)[counts.groups]
    excess = counts.counts.astype(exact) * int(totals.sum()) - totals.astype(exact)[counts.values] * sizes
    return counts.sums(np.maximum(excess, 0))


def _between_places(counts: ValueCounts, known: SensitiveValues, exact: np.dtype) -> np.ndarray:
    """Add |P·N − Q·n| over all places but the last: P stays what it is between two values of a group."""
    total, last = int(known.totals.sum()), int(np.count_nonzero(known.totals)) - 1
    in_order = np.zeros(last + 1, np.int64)
    occurring = np.flatnonzero(known.totals)
    in_order[known.positions[occurring]] = known.totals[occurring]
    up_to = np.cumsum(in_order)
    summed = np.concatenate([[0], np.cumsum(up_to.astype(exact))])

    groups = counts.groups
    order = np.lexsort((known.positions[counts.values], groups))
    places, numbers = known.positions[counts.values][order], counts.counts[order]
    starts = np.repeat(counts.indptr[:-1], counts.n_distinct)
    before = np.cumsum(numbers) - numbers
    so_far = (before - before[starts] + numbers).astype(exact)
    ends = np.append(places[1:], last)
    ends[counts.indptr[1:][counts.n_distinct > 0] - 1] = last

    sizes = counts.sizes.astype(exact)[groups]
    have = so_far * total
    turns = np.searchsorted(up_to, (have // sizes).astype(np.int64), side="right")
    turns = np.clip(turns, places, ends)
    behind = have * (turns - places) - sizes * (summed[turns] - summed[places])
    ahead = sizes * (summed[ends] - summed[turns]) - have * (ends - turns)
    first = np.arange(len(groups)) == starts
    return counts.sums(behind + ahead + np.where(first, sizes * summed[places], 0))
