"""Put ratings into groups of at least k that cost little to be made alike.

The cost of a group is a sum over items (:mod:`shoal.kernels.group_costs`), so groups can be compared exactly. Records
are halved again and again across the direction in which they differ most, which takes n·log n steps and puts like
beside like; then records are moved and swapped between groups, within blocks of groups that lie close together and
block beside block, as long as the total cost falls. Blocks are drawn anew every round. A few records are split in every
possible way instead. On a scale of many points the search itself goes by a coarser one; what groups cost in the end is
worked out on the scale as it is.
"""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.cheapest_split import cheapest_split
from shoal.kernels.group_costs import group_costs
from shoal.kernels.regroup import regroup
from shoal.progress import stage

from .by_group import by_group
from .coarse_scale import CoarseScale
from .dearest_groups import dearest_groups
from .halved import halved
from .rating_costs import RatingCosts

__all__ = ["AlikeGroups", "alike_groups"]

_FEW = 10
"""So many records are split in every possible way."""
_SOME, _STARTS = 200, 24
"""With so many records at most, the search begins anew so often from a random order, and the best is kept."""
_BLOCK = 64
_PASSES = 3
_SLIGHT = 0.002
"""The share of the cost below which another round does not pay."""


@dataclass(frozen=True, eq=False)
class AlikeGroups:
    """Labels 0, 1, … of the records, −1 for one that is in no group, and what each group costs."""

    labels: np.ndarray
    costs: np.ndarray

    def only(self, kept: np.ndarray) -> "AlikeGroups":
        """Give the groups of a mask, and no others."""
        return AlikeGroups(np.where(kept, np.cumsum(kept) - 1, -1)[self.labels], self.costs[kept])

    def without_dearest(self, spare: int) -> "AlikeGroups":
        """Leave out the groups that cost most, of so many records together at most."""
        kept = np.ones(len(self.costs), bool)
        kept[dearest_groups(self.labels, self.costs, spare)] = False
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
) -> AlikeGroups:
    """Group all records, at least ``size`` to a group; there must be that many.

    With ``alone``, what each record costs that is in no group, those for which that is cheaper are left out.
    """
    return _Search(matrix, n_values, radius, size, costs, generator).best(rounds, alone)


class _Search:
    def __init__(
        self,
        matrix: RatingMatrix,
        n_values: int,
        radius: int,
        size: int,
        costs: RatingCosts,
        generator: np.random.Generator,
    ) -> None:
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
            return self._told(np.arange(n), np.array([0, n]))
        starts = _STARTS if n <= _SOME else 1
        found = [self._searched(self._start(begin), rounds) for begin in range(starts)]
        return min(found, key=lambda groups: float(groups.costs.sum()))

    def _best_of_all(self, alone: np.ndarray | None) -> AlikeGroups:
        n = len(self._matrix)
        masks = np.arange(1, 2**n)
        inside = ((masks[:, None] >> np.arange(n)) & 1).astype(bool)
        begins = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
        members = np.nonzero(inside)[1]
        each = group_costs(*self._rows, members, begins, *self._how)
        allowed = np.where(inside.sum(axis=1) >= self._size, each, np.inf)
        if alone is not None:
            allowed[2 ** np.arange(n) - 1] = alone
        labels, _ = cheapest_split(np.concatenate([[np.inf], allowed]))
        found = self._told(*by_group(labels))
        return found.only(np.bincount(found.labels) >= self._size)

    def _told(self, order: np.ndarray, begins: np.ndarray) -> AlikeGroups:
        labels = np.empty(len(order), np.int64)
        labels[order] = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
        return AlikeGroups(labels, group_costs(*self._rows, order, begins, *self._how))

    def _start(self, attempt: int) -> tuple[np.ndarray, np.ndarray]:
        """Give the records in an order, and where groups begin in it."""
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
        with stage("moving records between groups", rounds) as progress:
            for number in range(rounds):
                before = float(costs.sum())
                blocks, borders = self._blocks(members, number)
                regroup(
                    *self._coarse_rows,
                    members,
                    sizes,
                    costs,
                    blocks,
                    borders,
                    self._size,
                    *self._coarse_how,
                    _PASSES,
                )
                progress.advance()
                if before - float(costs.sum()) <= _SLIGHT * before:
                    break
        inside = np.arange(members.shape[1]) < sizes[:, None]
        return self._told(members[inside], np.concatenate([[0], np.cumsum(sizes)]))

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
