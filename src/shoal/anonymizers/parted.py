"""Ratings whose groups are set apart from strangers, where strangers do harm."""

from dataclasses import replace

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.evidence import RatingMoments
from shoal.kernels.equal_rows import equal_patterns
from shoal.kernels.part_rows import part_rows

from .by_group import by_group
from .spread_asked import SpreadAsked

__all__ = ["parted_groups", "parted_neighbourhoods"]

_PASSES = 2


def parted_neighbourhoods(
    made: Ratings, before: RatingMatrix, labels: np.ndarray, radius: int, asked: SpreadAsked, around: RatingMoments
) -> Ratings:
    """Return ratings in which more neighbourhoods spread enough, though groups do not change.

    ``around`` is how the sensitive ratings around each record add up. A neighbourhood that reaches into other groups
    than its own may spread less than each of them; single ratings are moved until it does not.
    """
    totals = np.column_stack([around.sizes, around.given, around.sums, around.squares])
    nobody = np.zeros(len(made), bool)
    return _parted(made, before, labels, radius, (totals, asked.amounts, asked.needs, nobody))


def parted_groups(made: Ratings, before: RatingMatrix, labels: np.ndarray, radius: int, which: np.ndarray) -> Ratings:
    """Return ratings in which the groups of a mask of records have fewer strangers near them, or none."""
    marked = np.isin(labels, labels[which])
    nothing = np.zeros((len(made), 1), np.int64)
    return _parted(made, before, labels, radius, (nothing, nothing, np.zeros((0, 5)), marked))


def _parted(
    made: Ratings,
    before: RatingMatrix,
    labels: np.ndarray,
    radius: int,
    asked: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> Ratings:
    matrix = made.observable
    patterns, n_patterns = equal_patterns(matrix.indptr, matrix.indices)
    order = np.argsort(patterns, kind="stable")
    begins = np.searchsorted(patterns[order], np.arange(n_patterns + 1))
    codes = matrix.codes.copy()
    part_rows(
        matrix.indptr,
        codes,
        _wanted(before, matrix),
        order,
        begins,
        labels,
        *by_group(labels),
        radius,
        made.scale.points,
        *asked,
        _PASSES,
    )
    return replace(made, observable=replace(matrix, codes=codes))


def _wanted(before: RatingMatrix, after: RatingMatrix) -> np.ndarray:
    """Return, for every rating after, the one before in the same cell, −1 where there was none."""
    width = max(len(before.items), 1)
    keys = [np.repeat(np.arange(len(m)) * width, np.diff(m.indptr)) + m.indices for m in (before, after)]
    places = np.minimum(np.searchsorted(keys[0], keys[1]), max(len(keys[0]) - 1, 0))
    if not len(keys[0]):
        return np.full(len(keys[1]), -1, np.int64)
    return np.where(keys[0][places] == keys[1], before.codes[places].astype(np.int64), -1)
