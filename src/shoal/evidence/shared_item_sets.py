"""How many groups share what little may be known of somebody's items."""

from dataclasses import dataclass

import numpy as np

__all__ = ["SharedItemSets"]


@dataclass(frozen=True, eq=False, repr=False)
class SharedItemSets:
    """For each group of equal profiles, how many groups hold the rarest set of at most ``items`` of its items.

    The empty set is one of them, and every group holds it. Numbers stop at what was asked for as enough or at the
    smallest number of all, whichever is more: what is below that is exact, and so is the smallest.
    """

    items: int
    sizes: np.ndarray
    """Records in each group: int64."""
    fewest: np.ndarray
    """How many groups hold the set that the fewest do, the group itself included: int64."""

    def __post_init__(self) -> None:
        assert self.sizes.dtype == self.fewest.dtype == np.int64
        assert len(self.sizes) == len(self.fewest)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"SharedItemSets({len(self):,} groups, sets of up to {self.items:,} items)"
