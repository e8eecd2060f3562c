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
from shoal.kernels.roll_up import add_in_place, merge_counts, packed_rows, roll_up

from .group_counts import GroupCounts
from .value_counts import ValueCounts

__all__ = ["LevelMaps", "PrivacyHashTable"]

_PLACES = 16
"""So many places for combinations of labels are afforded for each group."""


class LevelMaps:
    """How labels at one level of each hierarchy are told at a higher one."""

    def __init__(self, hierarchies: Sequence[Hierarchy]) -> None:
        self.hierarchies = tuple(hierarchies)
        self._known: dict[tuple[int, int, int], np.ndarray] = {}

    def between(self, lower: Sequence[int], higher: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Give the maps of all attributes one after another, and where each begins."""
        maps = [self.between_levels(i, *levels) for i, levels in enumerate(zip(lower, higher, strict=True))]
        begins = np.zeros(len(maps), np.int64)
        np.cumsum([len(each) for each in maps[:-1]], out=begins[1:])
        return np.concatenate(maps), begins

    def sizes(self, node: Sequence[int]) -> list[int]:
        """Give how many labels each attribute has at the level of a node."""
        return [len(each.labels[level]) for each, level in zip(self.hierarchies, node, strict=True)]

    def between_levels(self, attribute: int, lower: int, higher: int) -> np.ndarray:
        """Give the code at the higher level of each label of the lower one."""
        key = (attribute, lower, higher)
        if key not in self._known:
            hierarchy = self.hierarchies[attribute]
            codes = np.zeros(len(hierarchy.labels[lower]), np.int32)
            codes[hierarchy.maps[lower]] = hierarchy.maps[higher]  # levels nest, so any value of a label will do
            self._known[key] = codes
        return self._known[key]


@dataclass(frozen=True, eq=False, repr=False)
class PrivacyHashTable:
    """Combinations of labels, and what is counted of each."""

    maps: LevelMaps
    node: tuple[int, ...]
    """The level of each quasi-identifier."""
    counts: GroupCounts
    combinations: "_Told | _Packed"

    @classmethod
    def of_groups(cls, hierarchies: Sequence[Hierarchy], labels: np.ndarray, counts: GroupCounts) -> "PrivacyHashTable":
        """Give the table of the lowest node, from distinct combinations of values and what is counted of them."""
        assert labels.shape == (len(counts), len(hierarchies))
        told = _Told(np.ascontiguousarray(labels, np.int32))
        return cls(LevelMaps(hierarchies), (0,) * len(hierarchies), counts, told)

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"PrivacyHashTable({len(self):,} groups at {self.node})"

    @property
    def labels(self) -> np.ndarray:
        """For each group, in a line, the codes of its labels: int32."""
        return self.combinations.labels

    @cached_property
    def records(self) -> int:
        """How many records there are."""
        return int(self.counts.sizes.sum())

    def rolled_up(self, node: Sequence[int]) -> "PrivacyHashTable":
        """Give the table of a node at or above this one.

        Where all combinations there could be are not many more than groups, each has a place of its own; else they
        are looked up by their hash.
        """
        node = tuple(node)
        assert all(mine <= theirs for mine, theirs in zip(self.node, node, strict=True)), "a table is rolled up only"
        between, shape = self.maps.between(self.node, node), self.maps.sizes(node)
        if math.prod(shape) > _PLACES * len(self):
            told, groups = roll_up(self.labels, *between)
            sizes = np.bincount(groups, self.counts.sizes, minlength=len(told)).astype(np.int64)  # below 2⁵³: exact
            return self._at(node, sizes, groups, _Told(told))
        keys = self.places(node, [i for i, size in enumerate(shape) if size > 1])
        # calls of the system give memory that is zero and not touched yet: places nobody has cost nothing
        in_place = np.zeros(math.prod(shape), np.int32 if self.records < 2**31 else np.int64)
        add_in_place(keys, self.counts.sizes, in_place)
        occupied = np.flatnonzero(in_place)
        sizes = in_place[occupied].astype(np.int64)
        groups = None
        if self.counts.sensitive:
            in_place[occupied] = np.arange(len(occupied))
            groups = in_place[keys].astype(np.int64)
        return self._at(node, sizes, groups, _Packed(occupied, tuple(shape)))

    def places(self, node: Sequence[int], attributes: Sequence[int]) -> np.ndarray:
        """Number, for each group, the combination of its labels at a node by some attributes, among all there are.

        The last of the attributes counts up first, as in arrays of NumPy.
        """
        shape = self.maps.sizes(node)
        values, stride = [], 1
        for i in reversed(attributes):
            values.insert(0, self.maps.between_levels(i, self.node[i], node[i]).astype(np.int64) * stride)
            stride *= shape[i]
        begins = np.cumsum([0, *map(len, values)])[:-1]
        joined = np.concatenate([*values, np.zeros(0, np.int64)])
        return packed_rows(self.labels, np.array(attributes, np.int64), joined, begins)

    def _at(
        self, node: tuple[int, ...], sizes: np.ndarray, groups: np.ndarray | None, combinations: "_Told | _Packed"
    ) -> "PrivacyHashTable":
        assert groups is not None or not self.counts.sensitive
        sensitive = tuple(_merged(each, groups, len(sizes)) for each in self.counts.sensitive if groups is not None)
        return PrivacyHashTable(self.maps, node, GroupCounts(sizes, sensitive), combinations)


@dataclass(frozen=True, eq=False)
class _Told:
    """Combinations as lines of codes."""

    labels: np.ndarray


@dataclass(frozen=True, eq=False)
class _Packed:
    """Combinations as places among all there could be; they are told one by one when somebody asks."""

    places: np.ndarray
    shape: tuple[int, ...]

    @cached_property
    def labels(self) -> np.ndarray:
        return np.stack(np.unravel_index(self.places, self.shape), axis=1).astype(np.int32)


def _merged(counts: ValueCounts, groups: np.ndarray, n_groups: int) -> ValueCounts:
    indptr, values, times = merge_counts(groups, n_groups, counts.indptr, counts.values, counts.counts, counts.n_values)
    return replace(counts, indptr=indptr, values=values, counts=times)
