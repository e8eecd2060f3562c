"""Homogenization: one profile for each group of users, from predictions and, in some variants, from ratings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.anonymizers.grouping import group_means, group_offsets
from shoal.data import GrowingArray, RatingMatrix, Scale, Vocabulary
from shoal.kernels.factorization import round_products
from shoal.kernels.rater_sums import add_up_raters
from shoal.predictors import Factors
from shoal.progress import stage

__all__ = ["Homogenization", "Variant", "rated_cells"]


Variant = Literal["predicted", "padded", "simple"]
_CELLS = 1 << 22
"""The cells that are worked on at a time."""


@dataclass(frozen=True, eq=False)
class Homogenization:
    """The profiles of groups of users: averages over a group, rounded to a scale.

    *predicted*: the average of the members' predictions. *padded*: the average of their ratings, with predictions in
    place of missing ones. *simple*: the average of the ratings present; items that no member rated stay null. The last
    two use ratings only where at least ``min_raters`` members rated, and the average prediction elsewhere: the average
    of one person's rating is that rating.
    """

    matrix: RatingMatrix
    factors: Factors
    labels: np.ndarray
    """The group of each user: 0, 1, …"""
    variant: Variant
    min_raters: int
    scale: Scale
    """The scale of the profiles; that of the ratings has ``factors.points`` points."""
    cells: np.ndarray | None = None
    """The published cells, groups × items in packed bits; None: all that the variant has."""

    def codes(self) -> Iterator[tuple[int, np.ndarray, np.ndarray | None]]:
        """Yield blocks of profiles: the first group of each, the codes, and the mask of the published cells.

        Where all cells are published there is no mask.
        """
        order, begins = group_offsets(self.labels)
        n_groups, n_items = len(begins) - 1, len(self.matrix.items)
        size = max(_CELLS // max(n_items, 1), 1)
        centers = group_means(self.factors.users, self.labels).astype(np.float32)
        items = np.ascontiguousarray(self.factors.items.T)
        with stage("averaging groups", n_groups) as progress:
            for start in range(0, n_groups, size):
                some = begins[start : start + size + 1]
                codes, filled = self._averages(centers[start : start + size], items, order[some[0] : some[-1]], some)
                yield start, codes, self._published(start, codes, filled)
                progress.advance(len(some) - 1)

    def compressed(self, items: Vocabulary, places: np.ndarray) -> RatingMatrix:
        """Return the profiles over ``items``, among which their own items have these ``places``."""
        n_groups = int(self.labels.max(initial=-1)) + 1
        places = places.astype(np.int32)
        lengths = np.zeros(n_groups, np.int64)
        indices, codes, repeated = GrowingArray(np.int32), GrowingArray(self.scale.dtype), places[:0]
        for start, block, published in self.codes():
            if published is None:  # as in complete profiles: nothing to pick out
                repeated = repeated if len(repeated) >= block.size else np.tile(places, len(block))
                lengths[start : start + len(block)] = block.shape[1]
                indices.add(repeated[: block.size])
                codes.add(block.ravel())
                continue
            lengths[start : start + len(block)] = published.sum(axis=1)
            indices.add(places[np.nonzero(published)[1]])
            codes.add(block[published])
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        return RatingMatrix(items, indptr, indices.cut(len(indices)), codes.cut(len(codes)))

    def _averages(
        self, centers: np.ndarray, items: np.ndarray, members: np.ndarray, begins: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the rounded averages of some groups, and the mask of non-null cells; None: all."""
        highest = self.factors.points - 1
        parts = (self.scale.points - 1) // highest
        if self.variant == "predicted":
            codes = np.empty((len(centers), items.shape[1]), self.scale.dtype)
            round_products(centers, items, float(highest), float(parts), codes)
            return codes, None
        averages = centers @ items
        filled = self._add_ratings(averages, members, begins - begins[0])
        kept = np.clip(averages, 0, highest, out=averages)
        return np.floor(kept * parts + 0.5).astype(self.scale.dtype), filled

    def _published(self, start: int, codes: np.ndarray, filled: np.ndarray | None) -> np.ndarray | None:
        if self.cells is None:
            return filled
        n_groups, n_items = codes.shape
        return np.unpackbits(self.cells[start : start + n_groups], axis=1, count=n_items).view(bool)

    def _add_ratings(self, averages: np.ndarray, members: np.ndarray, begins: np.ndarray) -> np.ndarray | None:
        """Add ratings to ``averages`` where ``min_raters`` members or more rated; return the mask of non-null cells."""
        matrix, users, items = self.matrix, self.factors.users, self.factors.items
        counts, sums, predictions = add_up_raters(
            matrix.indptr, matrix.indices, matrix.codes, users, items, members, begins
        )
        enough = counts >= self.min_raters
        if self.variant == "padded":
            sizes = np.diff(begins).astype(np.float32)[:, None]
            averages[enough] += ((sums - predictions) / sizes)[enough]
            return None
        averages[enough] = sums[enough] / counts[enough]
        return counts > 0


def rated_cells(matrix: RatingMatrix, labels: np.ndarray) -> np.ndarray:
    """Return, groups × items in packed bits, the cells in which some member of the group rated the item."""
    order, begins = group_offsets(labels)
    n_groups, n_items = len(begins) - 1, len(matrix.items)
    cells = np.empty((n_groups, -(-n_items // 8)), np.uint8)
    size = max(_CELLS // max(n_items, 1), 1)
    for start in range(0, n_groups, size):
        stop = min(start + size, n_groups)
        members = order[begins[start] : begins[stop]]
        some = matrix.take(members)
        rated = np.zeros((stop - start, n_items), bool)
        rated[np.repeat(labels[members] - start, np.diff(some.indptr)), some.indices] = True
        cells[start:stop] = np.packbits(rated, axis=1)
    return cells
