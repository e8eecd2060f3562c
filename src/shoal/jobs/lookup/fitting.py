"""Which published records fit what is known of somebody: their ratings, or their values column by column."""

from collections.abc import Container
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Vocabulary
from shoal.io.ratings.own_ratings import OwnRatings
from shoal.labels import covered_values

__all__ = ["Explained", "RatingsInSight", "fitting_rows"]

Explained: TypeAlias = Container[str]
"""The columns whose labels a public schema explains."""


class RatingsInSight:
    """The published ratings of the items of which somebody says how they rated them, or that they did not."""

    def __init__(self, published: Ratings, own: OwnRatings) -> None:
        matrix = published.observable
        place = Vocabulary(matrix.items.values.cast(pl.String)).codes(own.items)
        known, codes = place[place >= 0], own.codes[place >= 0]
        mine = np.full(len(matrix.items), _UNKNOWN, np.int64)
        mine[known] = codes
        entries = np.flatnonzero(mine[matrix.indices] != _UNKNOWN)
        rows = np.searchsorted(matrix.indptr, entries, side="right") - 1
        given = mine[matrix.indices[entries]] >= 0
        rated = entries[given]
        self.compared = len(known)
        self.unknown = own.items.filter(pl.Series(place < 0))
        """The items that are not among the published ones that others may know."""
        self._scale = published.scale
        self._n_given = int(np.count_nonzero(codes >= 0))
        self._rows = rows[given]
        self._apart = np.abs(matrix.codes[rated].astype(np.int64) - mine[matrix.indices[rated]])
        self._without = np.bincount(rows[~given], minlength=len(published)) == 0

    def fitting(self, tolerance: Fraction) -> np.ndarray:
        """Return the mask of the records within the tolerance, in rating points, on every item."""
        steps = self._scale.steps_within(tolerance)
        if steps >= self._scale.null_steps:
            return np.ones(len(self._without), bool)
        agreeing = np.bincount(self._rows[self._apart <= steps], minlength=len(self._without))
        return (agreeing == self._n_given) & self._without


_UNKNOWN = -2


def fitting_rows(published: Microdata, own: Microdata, *, explained: Explained) -> tuple[np.ndarray, np.ndarray]:
    """Return the masks of the records that fit the one record there is of somebody, and of those that may as well.

    A record fits if its labels stand for the values. It may as well if no label says otherwise, but some cannot be
    read: a word may be one of a hierarchy, unless the labels of its column are explained.
    """
    fits, possible = np.ones((2, len(published)), bool)
    for column in own.quasi_identifiers:
        labels = published[column.name]
        found = covered_values(labels.vocabulary.values, column, column.values, explained=column.name in explained)
        fits &= found.covered[labels.codes, 0]
        possible &= found.possible[labels.codes, 0]
    return fits, possible & ~fits
