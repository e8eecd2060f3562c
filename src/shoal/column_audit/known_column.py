"""A quasi-identifier as an attacker knows it, and by coarser labels that a column may tell of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Column
from shoal.evidence import binned_column

__all__ = ["KnownColumn"]

_BINS = (16, 4)
"""Numbers and days are also looked at in so many bins: an age may tell something that each year is too rare for."""

_STRATA = 32
_WITHIN = 1_000
"""Views of more labels are not tried as strata, or inside them: each would hold too few people."""


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
    def strata(self) -> list[tuple[np.ndarray, int]]:
        """The finest and the coarsest view of few labels, by the label of each value."""
        return _ends([view for view in self._views if 2 <= view[1] <= _STRATA])

    @cached_property
    def within_strata(self) -> list[tuple[np.ndarray, int]]:
        """The finest and the coarsest view of what may be told inside a stratum."""
        return _ends([view for view in self._views if 2 <= view[1] <= _WITHIN])

    @property
    def _views(self) -> list[tuple[np.ndarray, int]]:
        return [(np.arange(self.n_values), self.n_values), *self.coarser]

    @cached_property
    def ranks(self) -> np.ndarray | None:
        """The place of each value among numbers or days; None for other values."""
        return self.column.rank_of if self.column.vocabulary.is_ordered else None


def _ends(views: list[tuple[np.ndarray, int]]) -> list[tuple[np.ndarray, int]]:
    by_size = sorted(views, key=lambda view: view[1])
    return by_size if len(by_size) < 2 else [by_size[-1], by_size[0]]
