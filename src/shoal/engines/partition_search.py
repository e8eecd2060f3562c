"""Look for a split of ratings into groups that are pairwise within ε.

In the maximum norm, records are pairwise within ε exactly when on every issue the largest rating exceeds the smallest
by no more than ε: a group is a box. So the papers' slicing, whose trim compares all pairs of candidates, only has to
watch a box. What their Algorithm 1 leaves wrong is made right: trimming drops one of two conflicting records, not
both; a group is "large" when it has more than k, not more than three; and after adjusting, every group is counted
again.

Groups never cross patterns of nulls. Small components of the proximity graph are split by trying everything; for
larger ones a split that is not found may still exist, and the result says which of the two it is.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import Ratings
from shoal.evidence import Grouping, NeedPartition, NeedSpread, ProximatePartition, RatingMoments
from shoal.kernels.groups.box_groups import best_split, grow_boxes, join_boxes, neighbor_masks, reached, settle_boxes
from shoal.kernels.groups.spread_boxes import spread_boxes
from shoal.kernels.neighbors.pairwise import slices
from shoal.kernels.row_comparison import equal_patterns

from .base import rating_amounts
from .neighbor_search import Search, sums_within

__all__ = ["partition_search"]

_SMALL = 14
"""Components of up to this many records are split by trying everything: 3¹⁴ steps."""
_SMALL_SPREAD = 10
"""The same where the spread of every set has to be known: 2¹⁰ sets."""
_PATIENCE, _WORK = 2000, 2_000_000
"""So often groups are taken apart in vain at most, and less often where there are many records to look at."""
_WEIGHED = 20_000_000
"""So many records are weighed for new groups at most, which takes seconds: large groups take a million an attempt."""
_LESS = 8
"""By so much less often, and less, at sizes that nobody asked for."""
_MANY = 1000
"""With more records of one pattern, only components with someone left over are split again."""


def partition_search(ratings: Ratings, need: NeedPartition, search: Search) -> ProximatePartition:
    """Find the best split: at the size asked for, and with the largest smallest group."""
    return _Splitter(ratings, need, search).best()


@dataclass(frozen=True, eq=False)
class _Split:
    """Labels of the records, −1 for those left over, and whether fewer could certainly not be left over."""

    labels: np.ndarray
    proven: bool

    @property
    def complete(self) -> bool:
        return bool((self.labels >= 0).all())


class _Splitter:
    """Splits one data set at various sizes."""

    def __init__(self, ratings: Ratings, need: NeedPartition, search: Search) -> None:
        self._ratings, self._need, self._search = ratings, need, search
        self._amounts = _amounts_by_name(ratings) if need.sensitive else rating_amounts(ratings, sensitive=False)
        self._radius = ratings.scale.steps_within(need.epsilon)
        n = len(ratings)
        if self._radius >= ratings.scale.null_steps:  # nothing sets records apart: one pattern of no columns
            self._crowd = np.full(n, n, np.int64)
            self._alone, self._patterns = np.arange(0), [self._tidy(np.arange(n), np.zeros((n, 0), np.uint8))]
        else:
            one = self._amounts[:, :1].copy()
            self._crowd = sums_within(ratings.observable, ratings.scale.points, self._radius, one, search=search)[:, 0]
            self._alone, self._patterns = self._points_by_pattern()

    def best(self) -> ProximatePartition:
        """Split at the size asked for, then at the largest size that can be found, if that is of interest."""
        size, spread = self._need.size, self._need.spread
        asked = self._split(size, spread)
        if not self._need.largest:
            found = asked if asked.complete else _Split(np.arange(len(self._ratings)), proven=True)
        elif asked.complete:
            found = self._largest_above(asked, spread)
        else:
            found, reached = self._largest_below(size, spread)
            if reached and self._smallest(found) >= size:  # asking for less happened to give what was asked
                asked = found
        labels = found.labels
        groups = Grouping(labels, int(labels.max(initial=-1)) + 1)
        return ProximatePartition(
            self._need.epsilon, asked.labels < 0, groups, self._moments(labels, groups.n_groups), asked.proven
        )

    def _largest_above(self, found: _Split, spread: NeedSpread | None) -> _Split:
        """Ask for more and more until it fails; a record's neighborhood bounds the size of its group."""
        low, high = self._smallest(found), self._bound()
        step = low
        while low < high:
            size = min(low + step, high)
            more = self._split(size, spread)
            if more.complete:
                found, low, step = more, self._smallest(more), step * 2
            else:
                high, step = size - 1, max(1, (size - 1 - low) // 2)
        return found

    def _largest_below(self, size: int, spread: NeedSpread | None) -> tuple[_Split, bool]:
        """Ask for less: first for smaller groups that spread enough, then for any; say whether they do."""
        for asked in dict.fromkeys((spread, None)):
            if asked is None and self._bound() == 1:
                break
            low, high, found = 0, min(size - 1, self._bound()), None
            while low < high:
                middle = (low + high + 1) // 2
                split = self._split(middle, asked)
                if split.complete:
                    found, low = split, max(middle, min(self._smallest(split), high))
                else:
                    high = middle - 1
            if found is not None:
                return found, asked is spread
        return _Split(np.arange(len(self._ratings)), proven=True), False

    def _smallest(self, split: _Split) -> int:
        return int(np.bincount(split.labels).min(initial=len(self._ratings)))

    def _bound(self) -> int:
        return int(self._crowd.min(initial=len(self._ratings)))

    def _split(self, size: int, spread: NeedSpread | None) -> _Split:
        n = len(self._ratings)
        labels, made, proven = np.full(n, -1, np.int64), 0, True
        if size == 1:
            alone = self._alone[self._reach(spread, np.arange(len(self._alone)), len(self._alone), self._alone)]
            labels[alone] = np.arange(len(alone))
            made = len(alone)
        for rows, points in self._patterns:
            if len(rows) < size:
                continue  # left over, and nothing can be done about it
            found = self._split_pattern(rows, points, size, spread)
            inside = found.labels >= 0
            labels[rows[inside]] = found.labels[inside] + made
            made += int(found.labels.max(initial=-1)) + 1
            proven &= found.proven
        # one record without a neighborhood of this size is proof enough that there is no split
        return _Split(labels, proven or bool((self._crowd < size).any()))

    def _split_pattern(self, rows: np.ndarray, points: np.ndarray, size: int, spread: NeedSpread | None) -> _Split:
        together = np.zeros(len(rows), np.int64)
        one_box = bool((np.ptp(points, axis=0) <= self._radius).all())
        if one_box and self._reach(spread, together, 1, rows).all():
            return _Split(together, proven=True)
        hopeless = int((self._crowd[rows] < size).sum())
        labels = np.full(len(rows), -1, np.int64)
        for most in self._sizes_to_try(size, spread):
            found = self._greedy(rows, points, size, spread, most)
            labels = min(found, labels, key=lambda labels: int((labels < 0).sum()))
            if int((labels < 0).sum()) == hopeless:
                break
        if spread is not None and self._search != "slicing":
            labels = self._rearranged(rows, points, labels, size, spread)
        found = self._improved(rows, points, labels, size, spread)
        # where sets that spread enough do so together, and all together do not, some part of any split does not
        return _Split(found.labels, found.proven or (one_box and spread is not None and spread.merge_safe))

    def _sizes_to_try(self, size: int, spread: NeedSpread | None) -> tuple[int | None, ...]:
        """Take just enough, which leaves more for others; or as many as fit, as the papers do, which spread more."""
        if self._search == "slicing":
            return (None,)
        return (size, None) if spread is None else (None, size)

    def _greedy(
        self, rows: np.ndarray, points: np.ndarray, size: int, spread: NeedSpread | None, most: int | None
    ) -> np.ndarray:
        """Slice, trim and adjust; the loneliest first, unless the papers' own order is asked for."""
        seeds = np.arange(len(rows)) if self._search == "slicing" else np.argsort(self._crowd[rows], kind="stable")
        cut = slices(points, self._ratings.scale.points)
        labels, made = grow_boxes(points, *cut, seeds, size, most or len(rows), self._radius)
        made = settle_boxes(points, labels, made, self._crowd[rows] >= size, size, self._radius)
        while spread is not None and made:
            poor = ~self._reach(spread, labels, made, rows)
            joined, fewer = join_boxes(points, labels, made, poor, self._radius)
            if fewer == made:
                labels[(labels >= 0) & poor[labels]] = -1
                return _renumbered(labels)
            labels, made = joined, fewer
        return labels

    def _rearranged(
        self, rows: np.ndarray, points: np.ndarray, labels: np.ndarray, size: int, spread: NeedSpread
    ) -> np.ndarray:
        """Take groups apart and put them together anew until nobody is left over, or that has long been in vain."""
        hopeful = self._crowd[rows] >= size
        if not (hopeful & (labels < 0)).any():
            return labels
        needs, patience = spread.kernel_row(self._ratings.scale)[None], min(_PATIENCE, _WORK // len(rows) + 1)
        less = 1 if size == self._need.size else _LESS
        limits = patience // less, _WEIGHED // less
        labels = labels.copy()
        spread_boxes(points, labels, hopeful, self._amounts[rows], needs, size, self._radius, *limits)
        labels = _renumbered(labels)
        poor = ~self._reach(spread, labels, int(labels.max(initial=-1)) + 1, rows)
        if poor.any():  # doubles took something for enough that is not
            labels[(labels >= 0) & poor[labels]] = -1
        return _renumbered(labels)

    def _improved(
        self, rows: np.ndarray, points: np.ndarray, labels: np.ndarray, size: int, spread: NeedSpread | None
    ) -> _Split:
        """Split small components again by trying everything; say whether that settles it."""
        most = _SMALL if spread is None else _SMALL_SPREAD
        proven = True
        settled = np.zeros(len(rows), bool)
        hopeful = self._crowd[rows] >= size  # nobody else can be in a group at all
        todo = hopeful & (labels < 0) if spread is None or len(rows) > _MANY else hopeful
        for start in np.flatnonzero(todo):
            if settled[start]:
                continue
            crowded = self._crowd[rows[start]] > most
            component = np.zeros(0, np.int64) if crowded else reached(points, hopeful, int(start), self._radius, most)
            if not len(component):
                proven &= bool(labels[start] >= 0)
                continue
            settled[component] = True
            best = self._best_of_all(rows[component], points[component], size, spread)
            labels[component] = np.where(best >= 0, best + labels.max() + 1, -1)
        return _Split(_renumbered(labels), proven)

    def _best_of_all(self, rows: np.ndarray, points: np.ndarray, size: int, spread: NeedSpread | None) -> np.ndarray:
        masks = np.arange(2 ** len(rows))
        members = (masks[:, None] >> np.arange(len(rows))) & 1
        allowed = members.sum(axis=1) >= size
        worth = np.zeros(len(masks), np.int64)
        if spread is not None:
            moments = RatingMoments.of_columns(self._ratings.scale, members @ self._amounts[rows])
            allowed &= spread.reaches(moments)
            worth = spread.ranks(moments)
        return best_split(neighbor_masks(points, self._radius), allowed, worth)

    def _reach(
        self, spread: NeedSpread | None, labels: np.ndarray, n_groups: int, rows: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the mask of the groups that spread enough."""
        return np.ones(n_groups, bool) if spread is None else spread.reaches(self._moments(labels, n_groups, rows))

    def _moments(self, labels: np.ndarray, n_groups: int, rows: np.ndarray | None = None) -> RatingMoments:
        """Add up what the groups hold."""
        amounts = self._amounts if rows is None else self._amounts[rows]
        totals = np.zeros((n_groups, amounts.shape[1]), np.int64)
        np.add.at(totals, labels[labels >= 0], amounts[labels >= 0])
        return RatingMoments.of_columns(self._ratings.scale, totals)

    def _points_by_pattern(self) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
        """Return the records whose pattern nobody shares; and the others by pattern, as points.

        So that the search does not depend on how a file is laid out, columns are in the order of their names and
        records in the order of their ratings, sensitive ones last; only the papers' slicing goes by the order of the
        file.
        """
        matrix = self._ratings.observable
        place = np.argsort(np.argsort(matrix.items.values.cast(pl.String).to_numpy(), kind="stable"))
        patterns, _ = equal_patterns(matrix.indptr, matrix.indices)
        order = np.argsort(patterns, kind="stable")
        begins = np.flatnonzero(np.diff(patterns[order], prepend=-1))
        sizes = np.diff(np.append(begins, len(order)))
        shared = []
        for begin, size in zip(begins[sizes > 1], sizes[sizes > 1], strict=True):
            rows = order[begin : begin + size]
            starts = matrix.indptr[rows]
            columns = np.arange(matrix.indptr[rows[0] + 1] - starts[0])
            columns = columns[np.argsort(place[matrix.indices[starts[0] + columns]])]
            points = matrix.codes[starts[:, None] + columns]
            shared.append((rows, points) if self._search == "slicing" else self._tidy(rows, points))
        return order[begins[sizes == 1]], shared

    def _tidy(self, rows: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Put records in an order that leaves open only which of equal ones comes first."""
        keys = np.column_stack([points.astype(np.int64), self._amounts[rows]])
        order = np.lexsort(keys.T[::-1])
        return rows[order], points[order]


def _amounts_by_name(ratings: Ratings) -> np.ndarray:
    """Return what each record adds to a group, with the sensitive items in the order of their names."""
    amounts, matrix = rating_amounts(ratings, sensitive=True), ratings.sensitive
    names = matrix.items.values.cast(pl.String).to_numpy()[np.unique(matrix.indices)]
    order = np.argsort(names, kind="stable")
    return amounts[:, np.concatenate([[0], *(1 + kind * len(order) + order for kind in range(3))])]


def _renumbered(labels: np.ndarray) -> np.ndarray:
    present, numbers = np.unique(labels, return_inverse=True)
    return numbers.astype(np.int64) - int(present[0] < 0) if len(present) else labels
