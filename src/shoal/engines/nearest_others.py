"""Who is nearest to a record beyond ε: the other from which the fewest items separate it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import RatingMatrix, Scale
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.compressed_rows import rows_of_columns
from shoal.kernels.neighbors.bitmaps import radius_bitmaps
from shoal.kernels.neighbors.fewest_differences import columns_apart, lower_to_fewest_apart, lower_to_fewest_far
from shoal.progress import stage

__all__ = ["NearestOthers", "nearest_others"]

_MOST_STEPS = 2 * 10**11
"""About how many elementary steps a search may take: minutes on two cores."""
_CELLS_A_STEP = 16
"""By bits, about this many ratings of others are compared in the time of one step."""
_MOST_POINTS = 64
"""On longer scales there are no bitmaps."""
_BITS_A_BLOCK = 2**31
_ROWS_A_BLOCK = 2**15
"""How many others are looked at together by items: their counters stay near the processor."""
_ENTRIES_A_BLOCK = 2**25
_AT_A_TIME = 2**12
"""How many records are compared with a block before progress is reported."""
_NO_KEY = np.iinfo(np.int64).max

Lower = Callable[[np.ndarray, np.ndarray, np.ndarray], None]
"""Lower the keys of records to the smallest they have with a block of others, and set who that is."""


@dataclass(frozen=True, eq=False, repr=False)
class NearestOthers:
    """For each record that was asked about, the nearest other that is not within ε."""

    rows: np.ndarray
    """Which record it is: int64, −1 where all others are within ε."""
    separating: np.ndarray
    """How many items separate the two: int64."""
    items: np.ndarray
    """Some of those items, the most distant first and then in their order: int64, −1 where there are no more."""
    compared: np.ndarray
    """With how many others the record was compared: int64; all, unless that would have taken too long."""

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"NearestOthers(of {len(self):,} records)"


def nearest_others(
    matrix: RatingMatrix, scale: Scale, asked: np.ndarray, radius: int, *, items: int = 5, most: int = _MOST_STEPS
) -> NearestOthers:
    """Find the nearest other beyond a radius (in steps) of each record asked about.

    An item separates two records when their ratings differ by more than the radius, or one has a rating and the other
    none, unless the radius reaches that far. The nearest other is separated by the fewest items; of several, the one
    with the smallest total difference; then the first. Where comparing with all others would take more than about
    ``most`` elementary steps, each is compared with as many as can be, evenly spaced.
    """
    search = _Search(matrix, scale, radius)
    others, by_bits = search.others_within_reach(asked, most)
    compared = len(others) - np.isin(asked, others).astype(np.int64)
    rows, separating = search.fewest_apart(asked, others, by_bits=by_bits)
    issues = np.full((len(asked), items), -1, np.int64)
    some = np.flatnonzero(rows >= 0)
    names = issues[some]
    columns_apart(matrix.indptr, matrix.indices, matrix.codes, asked[some], rows[some], radius, scale.null_steps, names)
    issues[some] = names
    return NearestOthers(rows, separating, issues, compared)


@dataclass(frozen=True)
class _Search:
    matrix: RatingMatrix
    scale: Scale
    radius: int

    @cached_property
    def unit(self) -> int:
        """More than the distance of any two records: keys are separating items × unit + distance."""
        most_apart = 2 * int(np.diff(self.matrix.indptr).max(initial=0))
        unit = most_apart * self.scale.null_steps + 1
        assert (most_apart + 1) * unit <= _NO_KEY, "keys are whole numbers of 64 bits"
        return unit

    def others_within_reach(self, asked: np.ndarray, most: int) -> tuple[np.ndarray, bool]:
        """Return the others to compare with, all or an even selection, and whether to compare by bits."""
        matrix, n = self.matrix, len(self.matrix)
        by_items = int(_raters(matrix, np.arange(n)) @ _raters(matrix, asked)) + n * len(asked)
        by_bits = n * len(asked) * len(matrix.items) // _CELLS_A_STEP
        bits = self.scale.points <= _MOST_POINTS and by_bits < by_items
        steps = by_bits if bits else by_items
        if steps <= most:
            return np.arange(n), bits
        return np.unique(np.linspace(0, n - 1, max(n * most // steps, 1)).astype(np.int64)), bits

    def fewest_apart(self, asked: np.ndarray, others: np.ndarray, *, by_bits: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest of the others, and how many items separate from it."""
        rows, keys = np.full(len(asked), -1, np.int64), np.full(len(asked), _NO_KEY)
        if self.radius < self.scale.null_steps:  # else nothing separates anybody
            among = self.matrix.take(others) if len(others) < len(self.matrix) else self.matrix
            blocks = self._blocks(among, by_bits=by_bits)
            with stage("looking for nearest others", len(asked) * len(blocks)) as progress:
                for first, last in blocks:
                    lower = (self._by_bits if by_bits else self._by_items)(among, first, last)
                    for start in range(0, len(asked), _AT_A_TIME):
                        some = slice(start, start + _AT_A_TIME)
                        lower(asked[some], keys[some], rows[some])
                        progress.advance(len(asked[some]))
        separating = np.where(rows >= 0, keys // self.unit, 0)
        return np.where(rows >= 0, others[rows], -1), separating

    def _blocks(self, among: RatingMatrix, *, by_bits: bool) -> list[tuple[int, int]]:
        """Cut the others into spans, so that what is held of a span is bounded."""
        size = max(_BITS_A_BLOCK // (len(among.items) * self._values), 1) if by_bits else _ROWS_A_BLOCK
        spans, first = [], 0
        while first < len(among):
            full = int(np.searchsorted(among.indptr, among.indptr[first] + _ENTRIES_A_BLOCK, side="right")) - 1
            last = min(max(full, first + 1), first + size, len(among))
            spans.append((first, last))
            first = last
        return spans

    def _by_items(self, among: RatingMatrix, first: int, last: int) -> Lower:
        """Count by walking, for each rating of a record, through the others who rated the same item."""
        by_item = rows_of_columns(
            among.indptr, among.indices, among.codes, first, last, len(among.items), get_num_threads()
        )
        lengths = np.diff(among.indptr[first : last + 1])
        alone = self.unit + self.scale.null_steps
        differences = np.abs(np.arange(1 - self.scale.points, self.scale.points))
        gains = differences + self.unit * (differences > self.radius) - 2 * alone
        mine = (self.matrix.indptr, self.matrix.indices, self.matrix.codes)
        return lambda asked, keys, rows: lower_to_fewest_apart(
            *mine, asked, *by_item, lengths, first, gains, alone, self.unit, keys, rows
        )

    def _by_bits(self, among: RatingMatrix, first: int, last: int) -> Lower:
        """Count by adding up, item by item, the bits of the others who are far."""
        points = self._points(among, np.arange(first, last))
        near = radius_bitmaps(points, self._values, self.radius)[0]
        null, apart = self._values - 1, self.scale.null_steps
        return lambda asked, keys, rows: lower_to_fewest_far(
            self._points(self.matrix, asked), points, near, null, apart, first, self.unit, keys, rows
        )

    @property
    def _values(self) -> int:
        """With bitmaps, null is a value more than the radius above the highest."""
        return self.scale.points + self.radius + 1

    def _points(self, matrix: RatingMatrix, rows: np.ndarray) -> np.ndarray:
        dense = matrix.take(rows).dense()
        return np.where(dense < 0, self._values - 1, dense).astype(np.uint8)


def _raters(matrix: RatingMatrix, rows: np.ndarray) -> np.ndarray:
    """Count by item how many of these records rated it, in blocks that bound the memory."""
    counts = np.zeros(len(matrix.items), np.int64)
    for start in range(0, len(rows), _ROWS_A_BLOCK):
        counts += np.bincount(matrix.take(rows[start : start + _ROWS_A_BLOCK]).indices, minlength=len(counts))
    return counts
