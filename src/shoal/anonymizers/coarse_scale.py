"""A scale with fewer points, to search on."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.data import RatingMatrix

from .rating_costs import RatingCosts

__all__ = ["CoarseScale"]

_POINTS = 64


@dataclass(frozen=True)
class CoarseScale:
    """Several points of a scale put into one, where it has many: searching takes time for every point."""

    points: int
    together: int

    @classmethod
    def of(cls, points: int) -> Self:
        """Give the scale to search on in place of one with so many points."""
        together = -(-points // _POINTS)
        return cls(-(-points // together), together)

    def rows(self, matrix: RatingMatrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give the compressed rows of a matrix, in codes of the coarser scale."""
        codes = matrix.codes
        return matrix.indptr, matrix.indices, codes if self.together == 1 else codes // codes.dtype.type(self.together)

    def shape(self, matrix: RatingMatrix) -> tuple[int, int]:
        """Give the numbers of columns and of values to work with; there is at least one column."""
        return max(len(matrix.items), 1), self.points

    def prices(self, radius: int, costs: RatingCosts) -> tuple[int, float, float]:
        """Give the radius and what inventing and dropping a rating cost, in steps of the coarser scale."""
        return radius // self.together, float(costs.invent / self.together), float(costs.drop / self.together)
