"""A quasi-identifier as an attacker knows it, by exact values, coarser labels and ranges.

*Range that a value determines.* Of the N people who carry a value, the N/40 with the lowest ranks and the N/40 with the
highest, rounded down, are set aside; the others span the range. It is determined if those outside it are at most a
tenth of those expected, and at least ten are expected: as many of N people as of everybody.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Column
from shoal.evidence import PairCounts, value_bins

from .rules import View

__all__ = ["KnownColumn", "common_parts", "determined_ranges"]


_BINS = (16, 4)
"""Numbers and dates are also binned: an age group may determine something that each single age is too rare for."""

_STRATA = 32
_WITHIN = 1_000
"""Views of more labels are not tried as strata, or inside them: each would hold too few people."""


@dataclass(frozen=True, eq=False)
class KnownColumn:
    """An original quasi-identifier."""

    column: Column

    @property
    def n_values(self) -> int:
        """How many different values there are."""
        return len(self.column.vocabulary)

    @property
    def exactly(self) -> View:
        """The exact values."""
        return View(self.column.name, np.arange(self.n_values), self.n_values)

    @cached_property
    def coarser(self) -> list[View]:
        """The coarser views: by levels of the hierarchy below its root, and by bins."""
        column, views = self.column, []
        if column.hierarchy is not None:
            pairs = zip(column.hierarchy.maps[1:-1], column.hierarchy.labels[1:-1], strict=True)
            views += [View(column.name, codes.astype(np.int64), len(labels)) for codes, labels in pairs]
        for bins in _BINS if column.vocabulary.is_ordered else ():
            if self.n_values > bins:
                label_of = value_bins(column, bins)
                views.append(View(column.name, label_of, int(label_of.max()) + 1))
        return views

    @cached_property
    def strata(self) -> list[View]:
        """The finest and the coarsest view of few labels."""
        return _ends([view for view in self._views if 2 <= view.n_labels <= _STRATA])

    @cached_property
    def within_strata(self) -> list[View]:
        """The finest and the coarsest view of what may be determined inside a stratum."""
        return _ends([view for view in self._views if 2 <= view.n_labels <= _WITHIN])

    @property
    def _views(self) -> list[View]:
        return [self.exactly, *self.coarser]

    @cached_property
    def ranks(self) -> np.ndarray | None:
        """The place of each value among numbers or days; None for other values."""
        return self.column.rank_of if self.column.vocabulary.is_ordered else None


def _ends(views: list[View]) -> list[View]:
    by_size = sorted(views, key=lambda view: view.n_labels)
    return by_size if len(by_size) < 2 else [by_size[-1], by_size[0]]


_SET_ASIDE = 40
_FEWER = 10
_EXPECTED = 10


def determined_ranges(pairs: PairCounts) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest rank for each value of the first column; all ranks where it determines none.

    The second column of the pairs is in ranks.
    """
    order = np.lexsort((pairs.other, pairs.one))
    one, rank, counts = pairs.one[order], pairs.other[order], pairs.counts[order]
    ends = np.cumsum(counts)
    before = np.concatenate([[0], np.cumsum(pairs.of_one)])  # people with lower values of the first column
    aside = pairs.of_one // _SET_ASIDE
    carried = pairs.of_one > 0
    lowest, highest = np.zeros(pairs.n_one, np.int64), np.full(pairs.n_one, pairs.n_other - 1)
    lowest[carried] = rank[np.searchsorted(ends, (before[:-1] + aside)[carried], side="right")]
    highest[carried] = rank[np.searchsorted(ends, (before[1:] - aside)[carried], side="left")]
    inside = _within(one, rank, counts, lowest, highest, pairs.n_one)
    below = np.concatenate([[0], np.cumsum(pairs.of_other)])
    n = int(below[-1])
    expected = pairs.of_one * (n - (below[highest + 1] - below[lowest]))  # times n
    determined = carried & (_FEWER * n * (pairs.of_one - inside) <= expected) & (expected >= _EXPECTED * n)
    return np.where(determined, lowest, 0), np.where(determined, highest, pairs.n_other - 1)


def _within(
    one: np.ndarray, rank: np.ndarray, counts: np.ndarray, lowest: np.ndarray, highest: np.ndarray, n_one: int
) -> np.ndarray:
    inside = (lowest[one] <= rank) & (rank <= highest[one])
    return np.bincount(one[inside], counts[inside], minlength=n_one).astype(np.int64)


_RARE = 20
"""A pair that not even one in so many has, of those with the one value or with the other, is taken for an error."""


def common_parts(pairs: PairCounts) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the part of each value of the first column, that of each of the second, and how many parts there are.

    Values that occur together, but for rare pairs, are in one part: a district and its postal codes, where codes belong
    to several districts and districts to several codes. Columns that have nothing to do with each other are one part.
    """
    rare = (_RARE * pairs.counts <= pairs.of_one[pairs.one]) & (_RARE * pairs.counts <= pairs.of_other[pairs.other])
    one, other = pairs.one[~rare], pairs.other[~rare] + pairs.n_one
    n_values = pairs.n_one + pairs.n_other
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(n_values, n_values))
    n_parts, part_of = connected_components(graph, directed=False)
    part_of = part_of.astype(np.int64)
    return part_of[: pairs.n_one], part_of[pairs.n_one :], int(n_parts)
