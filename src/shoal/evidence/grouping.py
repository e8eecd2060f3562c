"""A partition of the records."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Grouping"]


@dataclass(frozen=True, eq=False, repr=False)
class Grouping:
    """Which group each record is in: labels 0…groups−1, each of which occurs."""

    labels: np.ndarray
    """The group of each record: int64."""
    n_groups: int

    def __post_init__(self) -> None:
        assert self.labels.dtype == np.int64
        self.labels.flags.writeable = False

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Grouping({len(self):,} records in {self.n_groups:,} groups)"

    def members(self, groups: np.ndarray) -> np.ndarray:
        """Give the mask of the records that are in the groups of a mask."""
        return groups[self.labels]
