"""The plan of cliques: which records form a clique, after merging and borrowing in the proximity graph."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.anonymizers.rating_groups.rating_costs import GroupDemand, RatingCosts
from shoal.data import RatingMatrix, Ratings
from shoal.engines import Engine
from shoal.kernels.clustering.nearest_groups import nearest_groups, row_costs
from shoal.kernels.groups.box_groups import grow_boxes, settle_boxes
from shoal.kernels.groups.group_costs import group_costs
from shoal.kernels.neighbors.pairwise import slices
from shoal.kernels.row_comparison import equal_patterns

__all__ = ["CliquePlan"]

_BLOCK = 1 << 15
"""The most records among which the nearest are searched for."""
_PRICED = 64
"""The number of loans whose cost is computed exactly."""
_LENDERS = 1000
"""The number of records that are considered for a loan."""


@dataclass(frozen=True, eq=False)
class CliquePlan:
    """The clique of each record, and the records that are moved to others."""

    labels: np.ndarray
    """The clique of each record; −1 where it is in none, and is unchanged or a guest."""
    guests: np.ndarray
    """Records that are moved until enough unchanged records are within the radius."""
    moved_guests: RatingMatrix
    """The guests after they were moved."""

    @classmethod
    def of(cls, ratings: Ratings, demand: GroupDemand, costs: RatingCosts, engine: Engine) -> Self:
        """Plan cliques that meet the demand; there are at least ``demand.size`` records."""
        planner = _Planner(ratings, demand, costs, engine)
        planner.find_unchanged()
        planner.merge()
        planner.join_cliques()
        planner.borrow()
        guests = planner.join_the_rest()
        return cls(planner.labels, np.array([row for row, _ in guests], np.int64), planner.moved(guests))


class _Planner:
    """One run: labels of cliques so far, and the mask of the unchanged records outside cliques."""

    def __init__(self, ratings: Ratings, demand: GroupDemand, costs: RatingCosts, engine: Engine) -> None:
        self._ratings, self._matrix = ratings, ratings.observable
        self._size, self._radius, self._by_neighbors = demand.size, demand.radius, demand.by_neighbors
        self._epsilon = demand.epsilon(ratings.scale)
        self._costs, self._gap = costs, min(costs.prices)
        self._engine = engine
        self._patterns, n_patterns = equal_patterns(self._matrix.indptr, self._matrix.indices)
        order = np.argsort(self._patterns, kind="stable")
        self._members = np.split(order, np.searchsorted(self._patterns[order], np.arange(1, n_patterns)))
        self.labels = np.full(len(ratings), -1, np.int64)
        self._stays = np.zeros(len(ratings), bool)
        self._lent = np.zeros(len(ratings), bool)

    # ── trivial ───────────────────────────────────────────────────────────────────────────────────────────────────

    def find_unchanged(self) -> None:
        """Find the records that need not be modified."""
        if self._by_neighbors:
            self._stays[self._core()] = True
            return
        crowd = self._engine.neighbors(self._ratings, self._epsilon).others + 1
        for rows in self._members:
            if len(rows) >= self._size:
                self._add_cliques(rows, self._boxes(rows, crowd[rows]))

    def _core(self) -> np.ndarray:
        """Return the largest set of records all of which have enough neighbors in the set."""
        inside = np.arange(len(self._ratings))
        while len(inside):
            near = self._engine.neighbors(self._ratings.take(inside), self._epsilon, enough=self._size - 1).others
            enough = near >= self._size - 1
            if enough.all():
                break
            inside = inside[enough]
        return inside

    def _boxes(self, rows: np.ndarray, crowd: np.ndarray) -> np.ndarray:
        """Label the records of one pattern by boxes, grown from those with fewest neighbors on; −1 for none."""
        points = self._points(rows)
        cut = slices(points, self._ratings.scale.points)
        seeds = np.argsort(crowd, kind="stable")
        labels, made = grow_boxes(points, *cut, seeds, self._size, self._size, self._radius)
        settle_boxes(points, labels, made, crowd >= self._size, self._size, self._radius)
        return labels

    def _points(self, rows: np.ndarray) -> np.ndarray:
        """Return records of one pattern as an array."""
        starts = self._matrix.indptr[rows]
        return self._matrix.codes[starts[:, None] + np.arange(self._matrix.indptr[rows[0] + 1] - starts[0])]

    # ── merging ───────────────────────────────────────────────────────────────────────────────────────────────────

    def merge(self) -> None:
        """Form new cliques of the remaining records of one pattern, where there are enough."""
        left = self._left_over()
        for rows in self._members:
            remaining = rows[left[rows]]
            if len(remaining) >= self._size:
                self._form_cliques(remaining)

    def _left_over(self) -> np.ndarray:
        return ~self._stays & (self.labels < 0)

    def join_cliques(self) -> None:
        """Let remaining records join the record of their pattern that is nearest to them, if it is in a clique."""
        left = self._left_over()
        for row in np.flatnonzero(left):
            rows = self._members[self._patterns[row]]
            if not left[rows].all():
                self.labels[row] = self.labels[self._nearest(int(row), rows[~left[rows]])]

    def _nearest(self, row: int, others: np.ndarray) -> int:
        return int(others[self._prices(row, others).argmin()])

    def _prices(self, row: int, others: np.ndarray) -> np.ndarray:
        return row_costs(*self._arrays, row, others, self._radius, self._gap)

    def _form_cliques(self, rows: np.ndarray) -> None:
        """Form cliques of nearest records; those farthest from the median record choose first."""
        order = rows[np.argsort(-self._distances_to_median(rows), kind="stable")]
        n_blocks = min(-(-len(order) // _BLOCK), len(order) // self._size)
        for block in np.array_split(order, n_blocks):
            labels, _ = nearest_groups(*self._arrays, block, self._size, self._radius, self._gap)
            self._add_cliques(block, labels)

    def _distances_to_median(self, rows: np.ndarray) -> np.ndarray:
        """Return the cost of making each record equal to the median of every issue that half of them have."""
        some = self._matrix.take(rows)
        order = np.lexsort((some.codes, some.indices))
        issues, begins, counts = np.unique(some.indices[order], return_index=True, return_counts=True)
        medians = some.codes[order][begins + (counts - 1) // 2]
        common = 2 * counts >= len(rows)
        indices = np.concatenate([some.indices, issues[common]])
        codes = np.concatenate([some.codes, medians[common]])
        indptr = np.append(some.indptr, len(indices))
        everyone = np.arange(len(rows))
        return row_costs(indptr, indices, codes, len(some.items), len(rows), everyone, 0, self._gap)

    def _add_cliques(self, rows: np.ndarray, labels: np.ndarray) -> None:
        self.labels[rows] = np.where(labels >= 0, labels + self.labels.max(initial=-1) + 1, -1)

    @property
    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        return self._matrix.indptr, self._matrix.indices, self._matrix.codes, len(self._matrix.items)

    # ── borrowing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def borrow(self) -> None:
        """Form cliques across patterns of records whose patterns are too rare; they borrow the records they lack."""
        left = self._left_over()
        settled = np.zeros(len(self._members), bool)
        settled[self._patterns[~left]] = True
        stranded = np.flatnonzero(left & ~settled[self._patterns])
        if len(stranded) >= self._size:
            self._form_cliques(stranded)
        elif len(stranded):
            self._complete(stranded)

    def _complete(self, rows: np.ndarray) -> None:
        """Make a clique of a few records and of loans; where nobody can lend, all stay left over."""
        degrees = self._degrees()
        while len(rows) < self._size:
            lent = self._cheapest_loan(rows, degrees)
            if lent is None:
                return
            if self._stays[lent]:
                degrees[self._staying_near(lent)] -= 1
            self._stays[lent] = False
            self.labels[lent] = -1
            rows = np.append(rows, lent)
        self._lent[rows] = True
        self._add_cliques(rows, np.zeros(len(rows), np.int64))

    def _degrees(self) -> np.ndarray:
        """Return the number of unchanged neighbors of each unchanged record."""
        degrees = np.zeros(len(self._ratings), np.int64)
        staying = np.flatnonzero(self._stays)
        if len(staying):
            degrees[staying] = self._engine.neighbors(self._ratings.take(staying), self._epsilon).others
        return degrees

    def _cheapest_loan(self, rows: np.ndarray, degrees: np.ndarray) -> int | None:
        """Return the record whose loan costs least, including the clique it leaves; None if nobody can lend."""
        sizes = np.bincount(self.labels[self.labels >= 0], minlength=1)
        possible = self._stays | ((self.labels >= 0) & (sizes[self.labels] > self._size))
        possible[rows] = False
        candidates = np.flatnonzero(possible)
        roughly = sum((self._prices(int(row), candidates) for row in rows), np.zeros(len(candidates)))
        nearest = candidates[np.argsort(roughly, kind="stable")][:_LENDERS]
        lenders = [int(row) for row in nearest if not self._stays[row] or self._may_leave(int(row), degrees)]
        if not lenders:
            return None
        return min(lenders[:_PRICED], key=lambda lent: self._loan_costs(rows, lent))

    def _may_leave(self, row: int, degrees: np.ndarray) -> bool:
        """Decide whether all neighbors of an unchanged record have enough neighbors without it."""
        return bool((degrees[self._staying_near(row)] >= self._size).all())

    def _staying_near(self, row: int) -> np.ndarray:
        """Return the other unchanged records within the radius of one."""
        rows = self._members[self._patterns[row]]
        rows = rows[self._stays[rows] & (rows != row)]
        apart = np.abs(self._points(rows).astype(np.int64) - self._points(np.array([row]))) if len(rows) else None
        return rows if apart is None else rows[(apart <= self._radius).all(axis=1)]

    def _loan_costs(self, rows: np.ndarray, lent: int) -> float:
        """Return the cost of a loan to the borrowers and to the clique it leaves."""
        made = np.append(rows, lent)
        before = np.flatnonzero(self.labels == self.labels[lent]) if self.labels[lent] >= 0 else np.array([lent])
        after = before[before != lent]
        return self._cost(made) + self._cost(after) - self._cost(before)

    def _cost(self, rows: np.ndarray) -> float:
        indptr, indices, codes, n_items = self._arrays
        shape, begins = (n_items, self._ratings.scale.points), np.array([0, len(rows)])
        prices = self._radius, *self._costs.prices
        return float(group_costs(indptr, indices, codes, rows, begins, shape, *prices)[0])

    # ── joining ───────────────────────────────────────────────────────────────────────────────────────────────────

    def join_the_rest(self) -> list[tuple[int, int]]:
        """Let each remaining record join the one nearest to it; return the guests of unchanged records, with these."""
        left = self._left_over()
        at_home = ~left & ~self._lent  # a lent record will have another pattern
        guests = []
        for row in np.flatnonzero(left):
            rows = self._members[self._patterns[row]]
            homes = rows[at_home[rows]]
            host = self._nearest(int(row), homes if len(homes) else np.flatnonzero(at_home))
            if self.labels[host] >= 0:
                self.labels[row] = self.labels[host]
            else:
                guests.append((int(row), host))
        return guests

    def moved(self, guests: list[tuple[int, int]]) -> RatingMatrix:
        """Return the guests, each moved the least that brings it within the radius of its host and enough neighbors."""
        hosts = self._matrix.take(np.array([host for _, host in guests], np.int64))
        codes = [np.zeros(0, self._matrix.codes.dtype)]
        for row, host in guests:
            around = self._staying_near(host)
            near = around[np.argsort(self._prices(row, around), kind="stable")][: self._size - 2]
            reach = self._points(np.append(near, host)).astype(np.int64)
            wished = self._over_pattern(row, host)
            low, high = reach.max(axis=0) - self._radius, reach.min(axis=0) + self._radius
            codes.append(np.clip(wished, low, high).astype(self._matrix.codes.dtype))
        return RatingMatrix(hosts.items, hosts.indptr, hosts.indices, np.concatenate(codes))

    def _over_pattern(self, row: int, host: int) -> np.ndarray:
        """Return the ratings of a record over the pattern of its host, whose ratings fill the gaps."""
        matrix = self._matrix
        own = slice(matrix.indptr[row], matrix.indptr[row + 1])
        wanted = slice(matrix.indptr[host], matrix.indptr[host + 1])
        ratings = matrix.codes[wanted].astype(np.int64)
        _, mine, its = np.intersect1d(
            matrix.indices[own], matrix.indices[wanted], assume_unique=True, return_indices=True
        )
        ratings[its] = matrix.codes[own][mine]
        return ratings
