"""What attackers want to know: a sensitive column, or the ratings of a sensitive item."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from shoal.data import Column, RatingMatrix, Vocabulary

from .exposure import Exposure

__all__ = ["SensitiveAttribute"]


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveAttribute:
    """The true and the published values of everybody, as numbers of one list of values."""

    name: str
    true: np.ndarray
    """For each record of the truth the number of its value; −1 where a rating was not given."""
    seen: np.ndarray
    """For each published record the same."""
    n_values: int
    positions: np.ndarray | None = None
    """Where values have an order, the place of each between 0 and 1; None: they have none."""

    @classmethod
    def names(cls, exposure: Exposure) -> tuple[str, ...]:
        """Give the names of what is sensitive and published."""
        if exposure.truth.kind == "ratings":
            return tuple(exposure.ratings[1].sensitive.items.values.cast(pl.String))
        truth, seen = exposure.tables
        return tuple(column.name for column in truth.sensitive if column.name in seen.names)

    @classmethod
    def read(cls, exposure: Exposure, name: str) -> Self:
        """Read one of them."""
        if exposure.truth.kind == "ratings":
            return cls._of_item(exposure, name)
        truth, seen = exposure.tables
        return cls._of_columns(truth[name], seen[name])

    @classmethod
    def _of_item(cls, exposure: Exposure, name: str) -> Self:
        truth, seen = exposure.ratings
        points = truth.scale.points
        positions = np.arange(points) / (points - 1)
        return cls(name, _ratings_of(truth.sensitive, name), _ratings_of(seen.sensitive, name), points, positions)

    @classmethod
    def _of_columns(cls, truth: Column, seen: Column) -> Self:
        known = truth.vocabulary.codes(seen.vocabulary.values).astype(np.int64)
        new = np.flatnonzero(known < 0)  # words that were made for the release
        known[new] = len(truth.vocabulary) + np.arange(len(new))
        published = known[seen.codes]
        n_values = len(truth.vocabulary) + len(new)
        positions = None if len(new) else _positions(truth.vocabulary, published)
        return cls(truth.name, truth.codes.astype(np.int64), published, n_values, positions)

    @property
    def someone_published(self) -> bool:
        """Whether anybody's value is published."""
        return bool((self.seen >= 0).any())

    def numbered(self, numbers: np.ndarray, n_values: int) -> Self:
        """Give the same with a new number for each value; several may share one."""
        true, seen = (np.where(side >= 0, numbers[side], -1) for side in (self.true, self.seen))
        return type(self)(self.name, true, seen, n_values)

    def in_order(self) -> Self:
        """Give the same with values numbered by their places."""
        assert self.positions is not None
        order = np.argsort(self.positions, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return replace(self.numbered(ranks, self.n_values), positions=self.positions[order])


def _positions(vocabulary: Vocabulary, published: np.ndarray) -> np.ndarray | None:
    """Put numbers and dates that are published a step apart, from 0 to 1; what is missing has no place among them."""
    occurring = np.unique(published)
    values = vocabulary.take(occurring)
    if not vocabulary.is_ordered or values.has_nulls():
        return None
    positions = np.zeros(len(vocabulary))
    positions[occurring] = (values.rank("ordinal").to_numpy() - 1) / max(len(occurring) - 1, 1)
    return positions


def _ratings_of(matrix: RatingMatrix, name: str) -> np.ndarray:
    item = matrix.items.values.cast(pl.String).index_of(name)
    out = np.full(len(matrix), -1, np.int64)
    places = np.flatnonzero(matrix.indices == item)
    out[np.searchsorted(matrix.indptr, places, side="right") - 1] = matrix.codes[places]
    return out
