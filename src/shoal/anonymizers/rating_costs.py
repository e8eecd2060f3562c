"""What it costs to tell ratings less exactly."""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix

__all__ = ["RatingCosts"]


@dataclass(frozen=True)
class RatingCosts:
    """Costs in steps of the scale: moving a rating by one step costs 1."""

    invent: float = 3.0
    """A rating that nobody gave."""
    drop: float = 2.0
    """A rating that somebody gave and that is not published."""

    def between(self, before: RatingMatrix, after: RatingMatrix) -> float:
        """Give what it cost to turn one matrix into another, over the same items and records."""
        if not (len(before) == len(after) and len(before.items) == len(after.items)):
            raise ValueError("Costs are between matrices of the same records and items.")
        keys = [_keys(matrix) for matrix in (before, after)]
        _, old, new = np.intersect1d(*keys, assume_unique=True, return_indices=True)
        moved = np.abs(before.codes[old].astype(np.int64) - after.codes[new].astype(np.int64)).sum()
        return float(moved + self.drop * (len(keys[0]) - len(old)) + self.invent * (len(keys[1]) - len(new)))


def _keys(matrix: RatingMatrix) -> np.ndarray:
    rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
    return rows * max(len(matrix.items), 1) + matrix.indices
