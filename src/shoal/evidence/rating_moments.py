"""How the sensitive ratings of sets of records are spread, kept as whole numbers."""

from dataclasses import dataclass

import numpy as np

from shoal.data import Scale

__all__ = ["RatingMoments"]


@dataclass(frozen=True, eq=False, repr=False)
class RatingMoments:
    """For each of n sets of records and each of q sensitive items: how many rated it, and the sums of what they said.

    Ratings are counted as codes, in steps above the lowest of the scale, so that every number is whole. They are enough
    for every reading of the standard deviation, and those of disjoint sets add.
    """

    scale: Scale
    sizes: np.ndarray
    """How many records each set has: int64, n."""
    given: np.ndarray
    """How many of them rated each item: int64, n × q."""
    sums: np.ndarray
    """The sum of their codes: int64, n × q."""
    squares: np.ndarray
    """The sum of the squares of their codes: int64, n × q."""

    def __post_init__(self) -> None:
        assert self.sizes.dtype == self.given.dtype == self.sums.dtype == self.squares.dtype == np.int64
        assert self.given.shape == self.sums.shape == self.squares.shape
        assert len(self.sizes) == len(self.given)

    @classmethod
    def of_columns(cls, scale: Scale, columns: np.ndarray) -> "RatingMoments":
        """Take sizes, and what was given, summed and squared by item, from the columns of one array."""
        q = (columns.shape[1] - 1) // 3
        given, sums, squares = (columns[:, 1 + i * q : 1 + (i + 1) * q] for i in range(3))
        return cls(scale, columns[:, 0], given, sums, squares)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"RatingMoments({len(self):,} sets × {self.given.shape[1]:,} items)"

    def take(self, rows: np.ndarray) -> "RatingMoments":
        """Give these sets in this order."""
        return RatingMoments(self.scale, self.sizes[rows], self.given[rows], self.sums[rows], self.squares[rows])
