"""Groups of a table at one node of the lattice of generalizations: the privacy hash table.

*Definition.* For each combination of quasi-identifiers, each generalized to the level that the node says, how
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
from shoal.kernels.groups.counts import add_in_places, merge_counts, roll_up, roll_up_in_places

from .group_counts import GroupCounts, ValueCounts

__all__ = ["LevelMaps", "PrivacyHashTable"]


_WIDEST = 1 << 13
"""The most combinations of values that one column stands for, unless one attribute alone has more values."""


class LevelMaps:
    """The hierarchies of some attributes. Several attributes share a column, so that fewer numbers are looked up.

    A code of a column says the values of all its attributes, the last of which counts up first.
    """

    def __init__(self, hierarchies: Sequence[Hierarchy]) -> None:
        self.hierarchies = tuple(hierarchies)
        self._sizes = [[len(labels) for labels in hierarchy.labels] for hierarchy in self.hierarchies]
        self._sharing = _sharing([hierarchy.n_values for hierarchy in self.hierarchies])
        self._column = {i: column for column, attributes in enumerate(self._sharing) for i in attributes}
        self._known: dict[tuple[int, int], np.ndarray] = {}

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self._sharing)

    def sizes(self, node: Sequence[int]) -> list[int]:
        """Return how many labels each attribute has at the level of a node."""
        return [sizes[level] for sizes, level in zip(self._sizes, node, strict=True)]

    def packed(self, values: Sequence[np.ndarray]) -> np.ndarray:
        """Write the codes of values of each attribute as columns that lie across: int32."""
        rows = np.zeros((self.n_columns, len(values[0])), np.int32)
        for column, attributes in enumerate(self._sharing):
            for i in attributes:
                rows[column] *= self.hierarchies[i].n_values
                rows[column] += values[i]
        return rows

    def labels(self, rows: np.ndarray, attribute: int, level: int) -> np.ndarray:
        """Return for each line the label of an attribute at a level: int64."""
        return self._labels(attribute, level)[rows[self._column[attribute]]]

    def label_counts(self, rows: np.ndarray, amounts: np.ndarray, node: Sequence[int]) -> list[np.ndarray]:
        """Add up amounts of lines, by attribute and label at the level of a node; they are whole and below 2⁵³."""
        counts = [np.bincount(rows[column], amounts) for column in range(self.n_columns)]
        by_attribute = []
        for i, size in enumerate(self.sizes(node)):
            mine = counts[self._column[i]]
            by_attribute.append(np.bincount(self._labels(i, node[i])[: len(mine)], mine, minlength=size))
        return by_attribute

    def places(self, node: Sequence[int], attributes: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Number combinations of labels of some attributes at a node, the last of which counts up first.

        Return the columns they are in; for these, one after another, what each code adds to the number; and where each
        column begins there.
        """
        sizes, stride = self.sizes(node), 1
        worths: dict[int, np.ndarray] = {}
        for i in reversed(attributes):
            worth = self._labels(i, node[i]) * stride
            worths[self._column[i]] = worths.get(self._column[i], 0) + worth
            stride *= sizes[i]
        columns = sorted(worths)
        return np.array(columns, np.int64), *_joined([worths[column] for column in columns])

    def labels_at(self, node: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return for all columns, one after another, a code of their labels at a node, and where each column begins."""
        maps = []
        for attributes in self._sharing:
            codes, stride = np.zeros(math.prod(self.hierarchies[i].n_values for i in attributes), np.int64), 1
            for i in reversed(attributes):
                codes += self._labels(i, node[i]) * stride
                stride *= self._sizes[i][node[i]]
            maps.append(codes)
        return _joined(maps)

    def _labels(self, attribute: int, level: int) -> np.ndarray:
        """Return for each code of the column of an attribute its label at a level."""
        if (attribute, level) not in self._known:
            attributes = self._sharing[self._column[attribute]]
            shape = [self.hierarchies[i].n_values if i == attribute else 1 for i in attributes]
            labels = self.hierarchies[attribute].maps[level].astype(np.int64).reshape(shape)
            whole = [self.hierarchies[i].n_values for i in attributes]
            self._known[attribute, level] = np.broadcast_to(labels, whole).ravel()
        return self._known[attribute, level]


def _sharing(sizes: Sequence[int]) -> list[list[int]]:
    """Put attributes that follow one another into columns."""
    columns: list[list[int]] = []
    for i, size in enumerate(sizes):
        if columns and math.prod(sizes[j] for j in columns[-1]) * size <= _WIDEST:
            columns[-1].append(i)
        else:
            columns.append([i])
    return columns


def _joined(parts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    begins = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=begins[1:])
    return np.concatenate([*parts, np.zeros(0, np.int64)]).astype(np.int32), begins[:-1]


_PLACES = 16
"""Up to this many places for combinations per group, combinations are counted in an array; beyond, they are hashed."""


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
        cls,
        hierarchies: Sequence[Hierarchy],
        values: Sequence[np.ndarray],
        counts: GroupCounts,
        node: Sequence[int] | None = None,
    ) -> "PrivacyHashTable":
        """Return the table of a node from the counts of groups and the values of each attribute by group.

        It is the lowest node unless said; at another one, the values are those of any record of the group.
        """
        assert len(values) == len(hierarchies)
        assert all(len(each) == len(counts) for each in values)
        maps = LevelMaps(hierarchies)
        return cls(maps, tuple(node or (0,) * len(hierarchies)), counts, maps.packed(values))

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"PrivacyHashTable({len(self):,} groups at {self.node})"

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """The hierarchy of each attribute."""
        return self.maps.hierarchies

    @property
    def labels(self) -> np.ndarray:
        """For each group, in a line, the codes of its labels."""
        return np.stack([self.maps.labels(self.rows, i, level) for i, level in enumerate(self.node)], axis=1)

    @property
    def records(self) -> int:
        """How many records there are."""
        return self._records

    @cached_property
    def _records(self) -> int:
        return int(self.counts.sizes.sum())

    def label_counts(self, groups: np.ndarray | None = None) -> list[np.ndarray]:
        """Return by attribute how many records have each of its labels; with ``groups``, only the records of these."""
        rows, sizes = self.rows, self.counts.sizes
        if groups is not None:
            rows, sizes = rows[:, groups], sizes[groups]
        return self.maps.label_counts(rows, sizes, self.node)

    def rolled_up(self, node: Sequence[int]) -> "PrivacyHashTable":
        """Return the table of a node at or above this one.

        Where all combinations there could be are not many more than groups, each has a place of its own; else they
        are looked up by their hash.
        """
        node = tuple(node)
        assert all(mine <= theirs for mine, theirs in zip(self.node, node, strict=True)), "a table is rolled up only"
        shape = self.maps.sizes(node)
        if math.prod(shape) > _PLACES * len(self):
            first, labels = roll_up(self.rows, *self.maps.labels_at(node))
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
