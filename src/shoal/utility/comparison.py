"""Original and published records side by side."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Column, Microdata, Ratings, Records
from shoal.kernels.row_differences import row_differences

__all__ = ["Comparison", "RatingDifferences"]


@dataclass(frozen=True)
class RatingDifferences:
    """What became of the non-sensitive ratings, in cells and in steps of the scale."""

    changed: int
    moved_steps: int
    invented: int
    invented_steps: int
    """Each invented rating counted with its place on the scale, the lowest being 1."""
    dropped: int
    dropped_steps: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """Record i of the original became record i of the published; what was withheld is in neither."""

    original: Records
    published: Records
    withheld: int
    sizes: np.ndarray
    """Sizes of the published groups of alike records."""

    def __post_init__(self) -> None:
        assert len(self.original) == len(self.published)

    @cached_property
    def ratings(self) -> RatingDifferences | None:
        """The differences between the ratings; None for tables."""
        if not (isinstance(self.original, Ratings) and isinstance(self.published, Ratings)):
            return None
        mine, theirs = self.original.observable, self.published.observable
        assert len(mine.items) == len(theirs.items)
        sums = row_differences(mine.indptr, mine.indices, mine.codes, theirs.indptr, theirs.indices, theirs.codes)
        return RatingDifferences(*(int(total) for total in sums))

    @property
    def columns(self) -> list[tuple[Column, Column]]:
        """The quasi-identifiers before and after; empty for ratings."""
        if not (isinstance(self.original, Microdata) and isinstance(self.published, Microdata)):
            return []
        return [(self.original[column.name], column) for column in self.published.quasi_identifiers]
