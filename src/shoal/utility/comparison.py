"""Original and published records side by side."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from shoal.data import Column, Microdata, Ratings, Records
from shoal.kernels.row_differences import row_differences

__all__ = ["Comparison", "RatingDifferences"]

Found = TypeVar("Found")


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
    """All original records, the published ones, and which became which."""

    whole: Records
    """Every original record, the withheld ones included."""
    origins: np.ndarray
    """For each published record, the row of the original."""
    published: Records
    sizes: np.ndarray
    """Sizes of the published groups of alike records."""
    epsilon: Fraction | None = None
    """How near records must be to be neighbours; None where nothing promises it."""
    seed: int = 0
    """Where the chance of random queries, samples and splits comes from."""
    _found: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        assert len(self.origins) == len(self.published)

    @property
    def withheld(self) -> int:
        """How many original records are not published."""
        return len(self.whole) - len(self.published)

    @cached_property
    def original(self) -> Records:
        """The original of each published record."""
        return self.whole.take(self.origins)

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

    def once(self, compute: Callable[[Self], Found]) -> Found:
        """Give what a function makes of this comparison, computed the first time it is asked for."""
        if compute not in self._found:
            self._found[compute] = compute(self)
        return self._found[compute]

    def generator(self, purpose: str) -> np.random.Generator:
        """Give a generator for one named purpose, the same for the same seed."""
        return np.random.default_rng([self.seed, *purpose.encode()])
