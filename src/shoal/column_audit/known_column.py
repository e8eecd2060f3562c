"""A quasi-identifier as an attacker knows it, and by coarser labels that a column may tell of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Column
from shoal.evidence import binned_column

__all__ = ["KnownColumn"]

_BINS = (16, 4)
"""Numbers and days are also looked at in so many bins: an age may tell something that each year is too rare for."""


@dataclass(frozen=True, eq=False)
class KnownColumn:
    """An original quasi-identifier."""

    column: Column

    @property
    def codes(self) -> np.ndarray:
        """The exact value of each record."""
        return self.column.codes

    @property
    def n_values(self) -> int:
        """How many different values there are."""
        return len(self.column.vocabulary)

    @cached_property
    def coarser(self) -> list[tuple[np.ndarray, int]]:
        """The label of each value with the number of labels: by levels of the hierarchy below its root, and by bins."""
        column, views = self.column, []
        if column.hierarchy is not None:
            pairs = zip(column.hierarchy.maps[1:-1], column.hierarchy.labels[1:-1], strict=True)
            views += [(codes.astype(np.int64), len(labels)) for codes, labels in pairs]
        for bins in _BINS if column.vocabulary.is_ordered else ():
            if self.n_values > bins:
                label_of = np.zeros(self.n_values, np.int64)
                label_of[column.codes] = binned_column(column, bins)
                views.append((label_of, int(label_of.max()) + 1))
        return views

    @cached_property
    def ranks(self) -> np.ndarray | None:
        """The place of each value among numbers or days; None for other values."""
        return self.column.rank_of if self.column.vocabulary.is_ordered else None
