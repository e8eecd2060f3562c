"""Which cells of profiles to publish, if not all: those whose predictions rest on most.

*Doubt.* The factors of an item are learned from those of its raters, as a line is fitted to points: with users' factors
u, they are the surer the larger ``A = Σ u·uᵀ`` over the raters is, and the variance of the prediction for a group whose
members' factors average c is in proportion to ``cᵀ·A⁻¹·c``. Added to A is what one average user would add, the mean of
u·uᵀ over all users: an item nobody rated has a doubt too. So doubts do not depend on how a predictor scales or turns
its factors.

Doubt is small where many rated an item, and of those more where their taste is like the group's. So popular items are
held by most groups, and others by the fewer the less they were rated: the order of popularity survives. How many rated
an item does not: it is held by many more, or by nobody.

*What it tells.* Doubt is an aggregate over all raters of an item and never looks at who is in the group. Where an item
has fewer raters than ``fewest``, it counts how many they are and not who, as though they were average users: otherwise
the groups that hold an item of one rater would be those nearest to that person.

*Which share.* Cells of all groups are compared with each other, and the least in doubt are taken: ⌈share · cells⌉,
exactly; of equally doubtful ones the first by group, then item. The same share of every group would publish nearly the
same items in all of them, which tells popular items from others and no more. A group whose taste is far from that of
most has fewer items, and at a small share it may have none.

*How.* ``cᵀ·A⁻¹·c`` is a product of two short lines, the entries of A⁻¹ and the products of every two entries of c, so
that the doubts of a block of groups are one product of matrices. They are reckoned three times and never kept: to count
them by the upper half of their bits, then by the lower half where the share is reached, then to choose.

Let groups hold items of others like them, so that whoever knows a few items of a person finds l profiles with them.

Groups are put together to *circles* of at least l that lie close (:func:`.size_constrained_kmeans`). If an attacker may know two
items or more, all groups of a circle hold what any of them holds: then every set of items that one of them holds is
held by all, whatever b. If one item only, the same is done for items that fewer than l groups hold, and for no others.
What is added are fake edges in the words of the paper, and their labels are predictions.

The paper leaves open which groups get them. With the circles of all that hold a rare item, no group of a circle is told
from the others by holding it. If they went to as few groups as needed, those for which the prediction is surest or
highest, it would be the same few for most items: they would be known by their many rare items, and everybody else with
a rare item by having really rated it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.data import RatingMatrix
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.compressed_rows import rows_of_columns
from shoal.kernels.factorization import add_up_squares
from shoal.progress import Stage, stage

from .size_constrained_kmeans import size_constrained_kmeans

__all__ = ["confident_cells", "diverse_cells"]


_SEEN = 1e-12
"""A direction in which users' squares are less than this part of the most is left out: it may be rounding."""
_NUMBERS = 1 << 22
"""So many numbers are worked on at a time."""
_TASKS = 64
_HALF = 16
"""Half the bits of a doubt."""


def confident_cells(
    matrix: RatingMatrix, users: np.ndarray, centers: np.ndarray, share: Fraction, fewest: int
) -> np.ndarray:
    """Give, groups × items in packed bits, the share of all cells whose predictions are least in doubt.

    The users' factors are those of the rows of the matrix; centers are the mean factors of groups.
    """
    even = _even(users)
    with stage("learning what predictions rest on"):
        items = _lines_of_items(matrix, (users @ even).astype(np.float32), fewest)
    doubts = _Doubts(centers @ even, items)
    wanted = -(-share.numerator * len(centers) * len(items) // share.denominator)
    cells = np.empty((len(centers), -(-len(items) // 8)), np.uint8)
    with stage("choosing cells", 3 * len(centers)) as progress:
        most, equal = _limit(doubts, wanted, progress)
        for start, bits in doubts.blocks(progress):
            chosen = bits < most
            last = np.flatnonzero(bits == most)[:equal]
            chosen.ravel()[last] = True
            equal -= len(last)
            cells[start : start + len(bits)] = np.packbits(chosen, axis=1)
    return cells


def _even(users: np.ndarray) -> np.ndarray:
    """Return a map of factors after which users' squares are on average 1 in every direction, and 0 across."""
    users = users.astype(np.float64)
    values, directions = np.linalg.eigh(users.T @ users / len(users))
    seen = values > _SEEN * values.max(initial=0)
    return directions[:, seen] / np.sqrt(values[seen])


def _lines_of_items(matrix: RatingMatrix, points: np.ndarray, fewest: int) -> np.ndarray:
    """Return for each item the entries of A⁻¹, those that occur twice doubled: float32."""
    indptr, raters, _ = rows_of_columns(
        matrix.indptr, matrix.indices, matrix.codes, 0, len(matrix), len(matrix.items), get_num_threads()
    )
    width, counts = points.shape[1], np.diff(indptr)
    one, (left, right) = np.eye(width), np.tril_indices(width)
    lines = np.empty((len(counts), len(left)), np.float32)
    size = max(_NUMBERS // max(width * width, 1), 1)
    for start in range(0, len(counts), size):
        some = slice(start, min(start + size, len(counts)))
        work = np.linspace(indptr[some.start], indptr[some.stop], _TASKS + 1)
        borders = np.clip(np.searchsorted(indptr, work), some.start, some.stop)
        borders[[0, -1]] = some.start, some.stop
        known = add_up_squares(indptr, raters, points, borders)
        few = counts[some] < fewest
        known[few] = counts[some][few, None, None] * one
        lines[some] = np.linalg.inv(known + one)[:, left, right] * np.where(left == right, 1, 2)
    return lines


@dataclass(frozen=True, eq=False)
class _Doubts:
    """The doubts of all cells, reckoned in blocks of groups whenever they are asked for."""

    centers: np.ndarray
    items: np.ndarray

    def blocks(self, progress: Stage) -> Iterator[tuple[int, np.ndarray]]:
        """Return the first group of each block, and the bits of its doubts: they ascend as doubts do."""
        left, right = np.tril_indices(self.centers.shape[1])
        size = max(_NUMBERS // max(*self.items.shape, 1), 1)
        for start in range(0, len(self.centers), size):
            centers = self.centers[start : start + size]
            products = (centers[:, left] * centers[:, right]).astype(np.float32)
            yield start, np.maximum(products @ self.items.T, 0).view(np.uint32)
            progress.advance(len(centers))


def _limit(doubts: _Doubts, wanted: int, progress: Stage) -> tuple[int, int]:
    """Return the bits of the most doubt that is still wanted, and how many cells with exactly that."""
    counts = np.zeros(1 << _HALF, np.int64)
    for _, bits in doubts.blocks(progress):
        counts += np.bincount((bits >> _HALF).ravel(), minlength=len(counts))
    upper, left = _reached(counts, wanted)
    counts[:] = 0
    for _, bits in doubts.blocks(progress):
        here = bits[bits >> _HALF == upper]
        counts += np.bincount(here & (len(counts) - 1), minlength=len(counts))
    lower, left = _reached(counts, left)
    return upper << _HALF | lower, left


def _reached(counts: np.ndarray, wanted: int) -> tuple[int, int]:
    """Return the first place up to which there are as many as wanted, and how many are wanted of that place."""
    until = np.cumsum(counts)
    place = min(int(np.searchsorted(until, wanted)), len(counts) - 1)
    return place, wanted - int(until[place] - counts[place])


_BLOCK = 256
"""So many groups are unpacked at a time."""


def diverse_cells(
    cells: np.ndarray,
    points: np.ndarray,
    b: int,
    l: int,  # noqa: E741
    generator: np.random.Generator,
) -> np.ndarray:
    """Return cells, groups × items in packed bits, with those that (b,l)-diversity needs beside those there are.

    Points are as far apart as groups are unlike. Groups at the same point, such as those of people who rated nothing,
    would be published alike and count as one. Items that no group holds stay so. Where there are fewer than l different
    points nothing is added, and it is left to the road to refuse.
    """
    different, place = np.unique(points, axis=0, return_inverse=True)
    place = place.ravel()  # a column in NumPy 2.0.0
    if len(different) < l:
        return cells
    with stage("sharing items among groups"):
        circles = size_constrained_kmeans(different, l, generator)[place]
        added = _unions(cells, circles)
        if b == 1:
            added &= np.packbits(_holders(_unions(cells, place)) < l)
        return cells | added[circles]


def _unions(cells: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return for each label 0, 1, … the cells that any group with it has."""
    order, begins = group_offsets(labels)
    return np.bitwise_or.reduceat(cells[order], begins[:-1], axis=0)


def _holders(cells: np.ndarray) -> np.ndarray:
    """Count for each item the groups that hold it."""
    counts = np.zeros(8 * cells.shape[1], np.int64)
    for start in range(0, len(cells), _BLOCK):
        counts += np.unpackbits(cells[start : start + _BLOCK], axis=1).sum(axis=0, dtype=np.int64)
    return counts
