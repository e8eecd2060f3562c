"""Put ratings into groups of at least k that cost little to be made alike.

The cost of a group is a sum over items (:mod:`shoal.kernels.groups.group_costs`), so groups can be compared exactly. Records
are halved again and again across the direction in which they differ most, which takes n·log n steps and puts like
beside like; then records are moved and swapped between groups, within blocks of groups that lie close together and
block beside block, as long as the total cost falls. Blocks are drawn anew every round. Where sensitive ratings must
spread, a group that lacks some of it is dearer for that, more so every round; what still lacks some in the end is
joined to another (:mod:`.spread_groups`). A few records are split in every possible way instead. On a scale of many
points the search itself goes by a coarser one; what groups cost in the end is worked out on the scale as it is.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import RatingMatrix
from shoal.kernels.clustering.bisection import halve
from shoal.kernels.groups.group_costs import cheapest_split, group_costs
from shoal.kernels.groups.regroup import regroup
from shoal.progress import stage

from .spread_asked import SpreadAsked
from .spread_groups import spread_groups

__all__ = ["AlikeGroups", "CoarseScale", "alike_groups", "costliest_groups", "halved"]


_POINTS = 64


@dataclass(frozen=True)
class CoarseScale:
    """Several points of a scale put into one, where it has many: searching takes time for every point."""

    points: int
    together: int

    @classmethod
    def of(cls, points: int) -> Self:
        """Return the scale to search on in place of one with so many points."""
        together = -(-points // _POINTS)
        return cls(-(-points // together), together)

    def rows(self, matrix: RatingMatrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the compressed rows of a matrix, in codes of the coarser scale."""
        codes = matrix.codes
        return matrix.indptr, matrix.indices, codes if self.together == 1 else codes // codes.dtype.type(self.together)

    def shape(self, matrix: RatingMatrix) -> tuple[int, int]:
        """Return the numbers of columns and of values to work with; there is at least one column."""
        return max(len(matrix.items), 1), self.points

    def prices(self, radius: int, costs: RatingCosts) -> tuple[int, float, float]:
        """Return the radius and what inventing and dropping a rating cost, in steps of the coarser scale."""
        return radius // self.together, float(costs.invent / self.together), float(costs.drop / self.together)


_FEW = 10
"""So many records are split in every possible way."""
_SOME, _STARTS = 200, 24
"""With so many records at most, the search begins anew so often from a random order, and the best is kept."""
_BLOCK = 64
_PASSES = 3
_SLIGHT = 0.002
"""The share of the cost below which another round does not pay."""
_PRICE = 4
"""What it costs a group at first, in costs of an average group, to lack all the spread of one sensitive issue."""
_MORE = 2
"""So many rounds more there may be while groups lack some."""
_NEVER = 1e18
_NO_AMOUNTS, _NO_NEEDS = np.zeros((0, 1), np.int64), np.zeros((0, 5), np.float64)


@dataclass(frozen=True, eq=False)
class AlikeGroups:
    """Labels 0, 1, … of the records, −1 for one that is in no group, and what each group costs."""

    labels: np.ndarray
    costs: np.ndarray

    def only(self, kept: np.ndarray) -> "AlikeGroups":
        """Return the groups of a mask, and no others."""
        return AlikeGroups(np.where(kept, np.cumsum(kept) - 1, -1)[self.labels], self.costs[kept])

    def without_dearest(self, max_withheld: int) -> "AlikeGroups":
        """Leave out the groups that cost most, of so many records together at most."""
        kept = np.ones(len(self.costs), bool)
        kept[costliest_groups(self.labels, self.costs, max_withheld)] = False
        return self.only(kept)


def alike_groups(
    matrix: RatingMatrix,
    n_values: int,
    radius: int,
    size: int,
    costs: RatingCosts,
    generator: np.random.Generator,
    rounds: int,
    alone: np.ndarray | None = None,
    asked: SpreadAsked | None = None,
) -> AlikeGroups:
    """Group all records, at least ``size`` to a group; there must be that many.

    With ``alone``, what each record costs that is in no group, those for which that is cheaper are left out. With
    ``asked``, the sensitive ratings of every group spread enough; where no groups are found that do, it is refused.
    """
    return _Search(matrix, n_values, radius, size, costs, generator, asked).best(rounds, alone)


class _Search:
    def __init__(
        self,
        matrix: RatingMatrix,
        n_values: int,
        radius: int,
        size: int,
        costs: RatingCosts,
        generator: np.random.Generator,
        asked: SpreadAsked | None,
    ) -> None:
        self._asked, self._radius, self._costs = asked, radius, costs
        self._needs = (_NO_AMOUNTS, _NO_NEEDS) if asked is None else (asked.amounts, asked.kernel_rows)
        self._matrix, self._n_values, self._size, self._generator = matrix, n_values, size, generator
        exact, coarse = CoarseScale(n_values, 1), CoarseScale.of(n_values)
        self._rows, self._how = exact.rows(matrix), (exact.shape(matrix), *exact.prices(radius, costs))
        self._coarse_rows, self._coarse_how = (
            coarse.rows(matrix),
            (coarse.shape(matrix), *coarse.prices(radius, costs)),
        )

    def best(self, rounds: int, alone: np.ndarray | None) -> AlikeGroups:
        n = len(self._matrix)
        if n <= _FEW and (n >= 2 * self._size or alone is not None):
            return self._best_of_all(alone)
        found = self._found(rounds)
        return found if alone is None else found.only(found.costs < np.bincount(found.labels, alone))

    def _found(self, rounds: int) -> AlikeGroups:
        n = len(self._matrix)
        if n < 2 * self._size:
            return self._joined(self._published(np.arange(n), np.array([0, n])))
        starts = _STARTS if n <= _SOME else 1
        found = [self._joined(self._searched(self._start(begin), rounds)) for begin in range(starts)]
        return min(found, key=lambda groups: float(groups.costs.sum()))

    def _best_of_all(self, alone: np.ndarray | None) -> AlikeGroups:
        n = len(self._matrix)
        masks = np.arange(1, 2**n)
        inside = ((masks[:, None] >> np.arange(n)) & 1).astype(bool)
        begins = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
        members = np.nonzero(inside)[1]
        each = group_costs(*self._rows, members, begins, *self._how)
        enough = inside.sum(axis=1) >= self._size
        if self._asked is not None:
            enough &= self._asked.reached(inside @ self._asked.amounts)
        allowed = np.where(enough, each, np.inf)
        if alone is not None:
            allowed[2 ** np.arange(n) - 1] = alone
        allowed[-1] = min(allowed[-1], _NEVER)  # some split must be allowed
        labels, cost = cheapest_split(np.concatenate([[np.inf], allowed]))
        found = self._published(*group_offsets(labels))
        if self._asked is not None and cost >= _NEVER:
            self._asked.refuse(self._asked.totals(found.labels))
        return found.only(np.bincount(found.labels) >= self._size)

    def _published(self, order: np.ndarray, begins: np.ndarray) -> AlikeGroups:
        labels = np.empty(len(order), np.int64)
        labels[order] = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
        return AlikeGroups(labels, group_costs(*self._rows, order, begins, *self._how))

    def _start(self, attempt: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the records in an order, and where groups begin in it."""
        n = len(self._matrix)
        if attempt:  # with fewer groups than there could be, some have more than they need, and can give
            most, fewest = n // self._size, -(-n // (2 * self._size - 1))
            groups = int(self._generator.integers((fewest + most) // 2, most + 1))
            return self._generator.permutation(n), np.arange(groups + 1) * n // groups
        return halved(self._matrix, self._n_values, np.arange(n), self._size)

    def _searched(self, start: tuple[np.ndarray, np.ndarray], rounds: int) -> AlikeGroups:
        """Move and swap records between groups until that hardly pays any more."""
        order, begins = start
        sizes = np.diff(begins)
        members = np.zeros((len(sizes), 2 * self._size - 1), np.int64)
        members[np.arange(members.shape[1]) < sizes[:, None]] = order
        costs = group_costs(*self._coarse_rows, order, begins, *self._coarse_how)
        price = _PRICE * max(float(costs.mean()), 1.0)
        with stage("moving records between groups", rounds) as progress:
            for number in range(rounds + (_MORE if rounds and self._asked else 0)):
                before = float(costs.sum())
                blocks, borders = self._blocks(members, number)
                saved = regroup(
                    *self._coarse_rows,
                    members,
                    sizes,
                    costs,
                    blocks,
                    borders,
                    self._size,
                    *self._coarse_how,
                    *self._needs,
                    price,
                    _PASSES,
                )
                progress.advance()
                price *= 2
                little = float(saved.sum()) <= _SLIGHT * before or number + 1 >= rounds
                if little and not self._lacking(members, sizes):
                    break
        inside = np.arange(members.shape[1]) < sizes[:, None]
        return self._published(members[inside], np.concatenate([[0], np.cumsum(sizes)]))

    def _lacking(self, members: np.ndarray, sizes: np.ndarray) -> bool:
        """Tell whether some group spreads its sensitive ratings too little."""
        if self._asked is None:
            return False
        labels = np.empty(len(self._matrix), np.int64)
        inside = np.arange(members.shape[1]) < sizes[:, None]
        labels[members[inside]] = np.repeat(np.arange(len(sizes)), sizes)
        return not self._asked.reached(self._asked.totals(labels)).all()

    def _joined(self, found: AlikeGroups) -> AlikeGroups:
        """Join groups that still spread too little."""
        if self._asked is None:
            return found
        labels = spread_groups(self._matrix, self._n_values, found.labels, self._asked, self._radius, self._costs)
        return found if labels is found.labels else self._published(*group_offsets(labels))

    def _blocks(self, members: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Put groups into blocks: first as they were halved, then by halving with other weights."""
        n = len(members)
        if number < 2 or n <= _BLOCK:
            return np.arange(n), np.unique(np.concatenate([[0], np.arange(number * _BLOCK // 2, n, _BLOCK), [n]]))
        weights = self._generator.exponential(size=self._how[0][0])
        rows, begins = halved(self._matrix, self._n_values, members[:, 0], _BLOCK // 2, weights)
        group_of = np.empty(len(self._matrix), np.int64)
        group_of[members[:, 0]] = np.arange(n)
        return group_of[rows], begins


def costliest_groups(labels: np.ndarray, costs: np.ndarray, max_withheld: int) -> np.ndarray:
    """Return the groups that cost most for each of their records, as many as have no more records than may be withheld.

    labels gives each record its group 0, 1, …, or −1 for none; costs are those of the groups.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=len(costs))
    dearest = np.argsort(-costs / np.maximum(sizes, 1), kind="stable")
    return dearest[(np.cumsum(sizes[dearest]) <= max_withheld) & (costs[dearest] > 0)]


def halved(
    matrix: RatingMatrix, n_values: int, order: np.ndarray, size: int, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Put rows into an order, and say where parts begin in it that have at least ``size`` and less than twice that.

    Rows are halved again and again across the direction in which they differ most, which takes n·log n steps. Weights
    say how much each item counts.
    """
    if weights is None:
        weights = np.ones(max(len(matrix.items), 1))
    values, order = _values(matrix, n_values), order.copy()
    begins = np.array([0, len(order)])
    while (groups := np.diff(begins) // size).max() >= 2:
        max_withheld = np.diff(begins) - groups * size
        middles = begins[:-1] + np.where(groups >= 2, groups // 2 * size + max_withheld // 2, 0)
        halve(matrix.indptr, matrix.indices, values, weights, order, begins, middles)
        begins = np.union1d(begins, middles)
    return order, begins


def _values(matrix: RatingMatrix, n_values: int) -> np.ndarray:
    """Return a number for each rating that tells both that it was given and how high it is on the span of the scale."""
    indices, codes, n_items = matrix.indices, matrix.codes, max(len(matrix.items), 1)
    given = np.maximum(np.bincount(indices, minlength=n_items), 1)
    means = np.bincount(indices, codes, minlength=n_items) / given
    return (1 + 2 * (codes - means[indices]) / max(n_values - 1, 1)).astype(np.float32)
