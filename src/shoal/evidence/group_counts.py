"""The sizes of groups and what sensitive values occur in them. Counts of blocks add."""

from dataclasses import dataclass, replace

import numpy as np

from .value_counts import ValueCounts

__all__ = ["GroupCounts"]


@dataclass(frozen=True, eq=False, repr=False)
class GroupCounts:
    """Whole numbers by group: how many records, and of each sensitive attribute how many records a value."""

    sizes: np.ndarray
    """Records in each group: int64."""
    sensitive: tuple[ValueCounts, ...] = ()
    """One entry a sensitive attribute; empty when nobody asked for them."""

    def __post_init__(self) -> None:
        assert self.sizes.dtype == np.int64
        assert all(len(counts) == len(self.sizes) for counts in self.sensitive)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"GroupCounts({len(self):,} groups, {len(self.sensitive)} sensitive attributes)"

    def __add__(self, other: "GroupCounts") -> "GroupCounts":
        """Add the counts of another block of records under the same group labels."""
        assert len(self.sensitive) == len(other.sensitive)
        sensitive = tuple(mine + theirs for mine, theirs in zip(self.sensitive, other.sensitive, strict=True))
        return GroupCounts(self.sizes + other.sizes, sensitive)

    def without(self, groups: np.ndarray) -> "GroupCounts":
        """Return the counts of what is left when the records of some groups, a mask, are withheld."""
        return GroupCounts(self.sizes[~groups], tuple(counts.without(groups) for counts in self.sensitive))

    def among(self, everybody: "GroupCounts") -> "GroupCounts":
        """Give the same counts as those of a few candidate groups of these records."""
        pairs = zip(self.sensitive, everybody.sensitive, strict=True)
        return replace(self, sensitive=tuple(replace(mine, known=theirs.known) for mine, theirs in pairs))
