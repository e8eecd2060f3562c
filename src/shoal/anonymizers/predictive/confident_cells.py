"""Confident cells: the cells of profiles whose predictions have the least variance, where not all are published.

*Doubt.* The factors of an item are a linear regression on those of its raters: with users' factors u, the larger
``A = Σ u·uᵀ`` over the raters, the more certain they are, and the variance of the prediction for a group with mean
factors c is proportional to ``cᵀ·A⁻¹·c``. To A is added the contribution of one average user, the mean of u·uᵀ over all
users, so that an item nobody rated has a doubt too, and doubts do not depend on how a predictor scales or rotates its
factors.

Doubt is small where many rated an item, in particular people whose taste is like the group's. So popular items are held
by most groups, and others by the fewer, the less they were rated: the order of popularity survives. The number of
raters does not: an item is held by many more, or by nobody.

*Disclosure.* Doubt is an aggregate over all raters of an item and does not depend on the members of the group. Where an
item has fewer raters than ``fewest``, only their number counts, as though they were average users: otherwise the groups
that hold an item of one rater would be those nearest to that person.

*Share.* Cells of all groups are compared with each other, and those with the least doubt are taken: ⌈share · cells⌉,
exactly; ties go by group, then item. The same share of every group would publish nearly the same items in all of them,
and show no more than which items are popular. A group of unusual taste has fewer items, and at a small share it may
have none.

*Algorithm.* ``cᵀ·A⁻¹·c`` is a product of two short lines, the entries of A⁻¹ and the products of every two entries of
c, so that the doubts of a block of groups are one matrix product. They are computed three times and never stored: to
count them by the upper half of their bits, then by the lower half where the share is reached, then to choose.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.factorization import add_up_squares
from shoal.progress import Stage, stage

__all__ = ["Confidence", "confident_cells"]

_SEEN = 1e-12
"""A direction whose variance among users is below this share of the largest is left out: it may be rounding."""
_NUMBERS = 1 << 22
"""The numbers that are worked on at a time."""
_TASKS = 64
_HALF = 16
"""Half the bits of a doubt."""


def confident_cells(
    matrix: RatingMatrix, users: np.ndarray, centers: np.ndarray, share: Fraction, fewest: int
) -> np.ndarray:
    """Return, groups × items in packed bits, the ``share`` of all cells with the least doubt.

    ``users`` are the factors of the rows of the matrix; ``centers`` are the mean factors of groups.
    """
    confidence = Confidence.of(users, fewest)
    with stage("measuring the confidence of predictions"):
        items = confidence.lines_of_items(matrix.by_item())
    return confidence.cells(centers, items, share)


@dataclass(frozen=True, eq=False)
class Confidence:
    """How certain predictions are, for any items: each is measured by itself, on all its raters."""

    whitening: np.ndarray
    """A linear map of factors after which the mean of u·uᵀ over users is the identity."""
    points: np.ndarray
    """The users after it: float32."""
    fewest: int
    """The raters of an item that has fewer count by their number alone."""

    @classmethod
    def of(cls, users: np.ndarray, fewest: int) -> "Confidence":
        """Return the confidence of predictions by users of these factors."""
        whitening = _whitening(users)
        return cls(whitening, (users @ whitening).astype(np.float32), fewest)

    def lines_of_items(self, by_item: RatingMatrix) -> np.ndarray:
        """Return for each item the lower triangle of A⁻¹, off-diagonal entries doubled, as float32."""
        indptr, raters = by_item.indptr, by_item.indices
        width, counts = self.points.shape[1], np.diff(indptr)
        one, (left, right) = np.eye(width), np.tril_indices(width)
        lines = np.empty((len(counts), len(left)), np.float32)
        size = max(_NUMBERS // max(width * width, 1), 1)
        for start in range(0, len(counts), size):
            some = slice(start, min(start + size, len(counts)))
            work = np.linspace(indptr[some.start], indptr[some.stop], _TASKS + 1)
            borders = np.clip(np.searchsorted(indptr, work), some.start, some.stop)
            borders[[0, -1]] = some.start, some.stop
            known = add_up_squares(indptr, raters, self.points, borders)
            few = counts[some] < self.fewest
            known[few] = counts[some][few, None, None] * one
            lines[some] = np.linalg.inv(known + one)[:, left, right] * np.where(left == right, 1, 2)
        return lines

    def cells(self, centers: np.ndarray, items: np.ndarray, share: Fraction) -> np.ndarray:
        """Return, groups × items in packed bits, the share of all cells with the least doubt."""
        doubts = _Doubts(centers @ self.whitening, items)
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


def _whitening(users: np.ndarray) -> np.ndarray:
    users = users.astype(np.float64)
    values, directions = np.linalg.eigh(users.T @ users / len(users))
    seen = values > _SEEN * values.max(initial=0)
    return directions[:, seen] / np.sqrt(values[seen])


@dataclass(frozen=True, eq=False)
class _Doubts:
    """The doubts of all cells, computed in blocks of groups on demand."""

    centers: np.ndarray
    items: np.ndarray

    def blocks(self, progress: Stage) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the first group of each block, and the bits of its doubts, which have the same order as doubts."""
        left, right = np.tril_indices(self.centers.shape[1])
        size = max(_NUMBERS // max(*self.items.shape, 1), 1)
        for start in range(0, len(self.centers), size):
            centers = self.centers[start : start + size]
            products = (centers[:, left] * centers[:, right]).astype(np.float32)
            yield start, np.maximum(products @ self.items.T, 0).view(np.uint32)
            progress.advance(len(centers))


def _limit(doubts: _Doubts, wanted: int, progress: Stage) -> tuple[int, int]:
    """Return the bits of the largest doubt that is taken, and the number of cells taken with exactly that doubt."""
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
    """Return the first place at which the counts add up to ``wanted``, and how many are wanted of that place."""
    until = np.cumsum(counts)
    place = min(int(np.searchsorted(until, wanted)), len(counts) - 1)
    return place, wanted - int(until[place] - counts[place])
