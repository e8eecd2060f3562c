"""How crowded it is around each record."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .rating_moments import RatingMoments

__all__ = ["Neighbourhoods"]


@dataclass(frozen=True, eq=False, repr=False)
class Neighbourhoods:
    """For each record, how many *other* records are within ε of it, and how sensitive ratings spread among them.

    Where not all others were asked for, numbers stop at ``enough`` or at the smallest number of all, whichever is more:
    what is below that is exact, and so is the smallest.
    """

    epsilon: Fraction
    others: np.ndarray
    """int64, one entry a record."""
    moments: RatingMoments | None = None
    """The sensitive ratings of each record and all others within ε of it; nothing when nobody asked for them."""

    def __post_init__(self) -> None:
        assert self.others.dtype == np.int64
        assert self.moments is None or len(self.moments) == len(self.others)

    def __len__(self) -> int:
        return len(self.others)

    def __repr__(self) -> str:
        return f"Neighbourhoods({len(self):,} records)"
