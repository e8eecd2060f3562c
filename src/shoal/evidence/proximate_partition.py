"""Records split into groups that are pairwise within ε."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .grouping import Grouping
from .rating_moments import RatingMoments

__all__ = ["ProximatePartition"]


@dataclass(frozen=True, eq=False, repr=False)
class ProximatePartition:
    """The best split of the records that was found, and who was left over at the size that was asked for."""

    epsilon: Fraction
    left_over: np.ndarray
    """Mask of the records for which no group of the size and spread asked for was found."""
    best: Grouping
    """Groups, pairwise within ε, the smallest of which is as large as could be found, and spread as asked if any is."""
    moments: RatingMoments
    """Sizes and sensitive ratings of the groups of the best split."""
    proven: bool
    """Whether it is certain that nothing better exists than what was found for the size asked for."""

    def __post_init__(self) -> None:
        assert len(self.left_over) == len(self.best)
        assert len(self.moments) == self.best.n_groups

    def __len__(self) -> int:
        return len(self.best)

    def __repr__(self) -> str:
        return f"ProximatePartition({len(self):,} records in {self.best.n_groups:,} groups)"
