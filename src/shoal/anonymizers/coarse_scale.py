"""A scale with fewer points, to search on."""

from dataclasses import dataclass
from typing import Self

import numpy as np

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

    def codes(self, codes: np.ndarray) -> np.ndarray:
        """Give codes of the coarser scale."""
        return codes if self.together == 1 else codes // codes.dtype.type(self.together)
