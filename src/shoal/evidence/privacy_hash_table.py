"""Groups of a table at one node of the lattice of generalisations: the privacy hash table.

*Definition.* For each combination of quasi-identifiers, each told at the level of its hierarchy that the node says, how
many records have it, and which sensitive values. Two different combinations are never counted together: where hashes
collide the combinations themselves are compared.

*Roll-up.* The table of any node is merged from the table of a node below it. That takes time by the groups there, not
by records, and the higher a node, the fewer groups it has.

*Reference.* Sun, Wang and others, thesis ch. 2, which keeps one number for all that share a hash: collisions are then
counted as one group, and (22, 4352) and (26, 4348) would pass for two people who look alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.data import Hierarchy
from shoal.kernels.roll_up import add_in_places, merge_counts, roll_up, roll_up_in_places

from .group_counts import GroupCounts
from .level_maps import LevelMaps
from .value_counts import ValueCounts

__all__ = ["PrivacyHashTable"]

_PLACES = 16
"""So many places for combinations of labels are afforded for each group."""


@dataclass(frozen=True, eq=False, repr=False)
class PrivacyHashTable:
    """Combinations of labels, and what is counted of each."""

    maps: LevelMaps
    node: tuple[int, ...]
    """The level of each quasi-identifier."""
    counts: GroupCounts
    rows: np.ndarray
    """The values of one record of each group, as columns that lie across: see LevelMaps."""

    @classmethod
    def of_groups(
        cls, hierarchies: Sequence[Hierarchy], values: Sequence[np.ndarray], counts: GroupCounts
    ) -> "PrivacyHashTable":
        """Give the table of the lowest node, from the values of each attribute by group and what is counted of them."""
        assert len(values) == len(hierarchies)
        assert all(len(each) == len(counts) for each in values)
        maps = LevelMaps(hierarchies)
        return cls(maps, (0,) * len(hierarchies), counts, maps.packed(values))

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"PrivacyHashTable({len(self):,} groups at {self.node})"

    @property
    def labels(self) -> np.ndarray:
        """For each group, in a line, the codes of its labels."""
        return np.stack([self.maps.labels(self.rows, i, level) for i, level in enumerate(self.node)], axis=1)

    @cached_property
    def records(self) -> int:
        """How many records there are."""
        return int(self.counts.sizes.sum())

    def label_counts(self, groups: np.ndarray | None = None) -> list[np.ndarray]:
        """Give by attribute how many records have each of its labels; only those of some groups, if said which."""
        rows, sizes = self.rows, self.counts.sizes
        if groups is not None:
            rows, sizes = rows[:, groups], sizes[groups]
        return self.maps.label_counts(rows, sizes, self.node)

    def rolled_up(self, node: Sequence[int]) -> "PrivacyHashTable":
        """Give the table of a node at or above this one.

        Where all combinations there could be are not many more than groups, each has a place of its own; else they
        are looked up by their hash.
        """
        node = tuple(node)
        assert all(mine <= theirs for mine, theirs in zip(self.node, node, strict=True)), "a table is rolled up only"
        shape = self.maps.sizes(node)
        if math.prod(shape) > _PLACES * len(self):
            first, labels = roll_up(self.rows, *self.maps.told(node))
            sizes = np.bincount(labels, self.counts.sizes, minlength=len(first)).astype(np.int64)  # below 2⁵³: exact
        else:
            labels = np.empty(len(self) if self.counts.sensitive else 0, np.int64)
            places = self.maps.places(node, [i for i, size in enumerate(shape) if size > 1])
            totals = np.zeros(math.prod(shape), np.int32 if self.records < 2**31 else np.int64)
            first, sizes = roll_up_in_places(self.rows, *places, self.counts.sizes, totals, labels)
        sensitive = tuple(_merged(each, labels, len(sizes)) for each in self.counts.sensitive)
        return PrivacyHashTable(self.maps, node, GroupCounts(sizes, sensitive), self.rows[:, first])

    def value_counts(self, attributes: Sequence[int]) -> np.ndarray:
        """Count records by the labels of some attributes: an array with one axis each."""
        shape = [self.maps.sizes(self.node)[i] for i in attributes]
        counts = np.zeros(math.prod(shape), np.int64)
        add_in_places(self.rows, *self.maps.places(self.node, attributes), self.counts.sizes, counts)
        return counts.reshape(shape)


def _merged(counts: ValueCounts, groups: np.ndarray, n_groups: int) -> ValueCounts:
    indptr, values, times = merge_counts(groups, n_groups, counts.indptr, counts.values, counts.counts, counts.n_values)
    return replace(counts, indptr=indptr, values=values, counts=times)
