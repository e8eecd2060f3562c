"""The groups of a node of the lattice, wherever the records are: rows of labels with the number of records of each.

The rows of a node are made from those of any node below it: labels are generalized, equal rows joined and brought
together. The higher a node, the fewer rows it has; those of a node that has few can be brought here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.data import Hierarchy
from shoal.evidence import PrivacyHashTable

from .group_rows import RECORDS, GroupLayout, GroupRows, group_rows, joined_rows, packings
from .table import PartitionedTable

__all__ = ["NodeRows", "generalized_words", "lowest_node", "node_table", "of_label", "parents"]


@dataclass(frozen=True)
class NodeRows:
    """The groups of a node."""

    hierarchies: tuple[Hierarchy, ...]
    node: tuple[int, ...]
    groups: GroupRows
    n_rows: int
    """How many rows there are: one for each group and combination of sensitive values."""

    @property
    def layout(self) -> GroupLayout:
        """What the columns of rows mean."""
        return self.groups.layout

    def generalized(self, node: Sequence[int]) -> "NodeRows":
        """Return the groups of a node above this one."""
        sizes = [len(hierarchy.labels[level]) for hierarchy, level in zip(self.hierarchies, node, strict=True)]
        layout = replace(self.layout, words=packings([f"c{i}" for i in range(len(sizes))], sizes))
        maps = tuple(map(parents, self.hierarchies, self.node, node))
        made = self.groups.rows.map_batches(_Generalize(self.layout, layout, maps), layout.columns)
        merged = _merged(made.shuffle(layout.key, self.n_rows, "generalizing"), layout)
        return NodeRows(self.hierarchies, tuple(node), GroupRows(merged, layout), merged.count("counting groups"))

    def table(self, rows: pl.DataFrame, layout: GroupLayout | None = None) -> PrivacyHashTable:
        """Return the groups of some rows in memory, all rows of a group being among them."""
        return node_table(self.hierarchies, self.node, layout or self.layout, rows)

    def counts_of_cells(self, attributes: Sequence[int]) -> np.ndarray:
        """Count records by the labels of some attributes: an array with one axis each."""
        shape = [len(self.hierarchies[i].labels[self.node[i]]) for i in attributes]
        counting = _CountCells(self.layout, tuple(attributes), tuple(shape))
        cells = self.groups.rows.map_batches(counting, _CELLS)
        summed = cells.shuffle(_CELL, self.n_rows, "projecting").map_partitions(_AddCells(), _CELLS)
        found = summed.collect("projecting")
        counts = np.zeros(int(np.prod(shape)), np.int64)
        counts[found[_CELL].to_numpy()] = found[RECORDS].to_numpy()
        return counts.reshape(shape)


def lowest_node(table: PartitionedTable, hierarchies: Sequence[Hierarchy], *, sensitive: bool) -> NodeRows:
    """Return the groups of the records as they are."""
    groups = group_rows(table, sensitive=sensitive)
    merged = _merged(groups.rows, groups.layout)
    node = (0,) * len(hierarchies)
    return NodeRows(tuple(hierarchies), node, replace(groups, rows=merged), merged.count("counting groups"))


def _merged(rows: Partitions, layout: GroupLayout) -> Partitions:
    """Return rows of which no two of a partition are equal, computed once."""
    return rows.map_partitions(_Join(layout), layout.columns).persist("joining equal groups")


@dataclass(frozen=True)
class _Join:
    """Joins all equal rows of a partition."""

    layout: GroupLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self.layout.joined(rows)


def parents(hierarchy: Hierarchy, level: int, above: int) -> np.ndarray:
    """Return for each label at a level its label at a level above."""
    parents = np.zeros(len(hierarchy.labels[level]), np.int64)
    parents[hierarchy.maps[level]] = hierarchy.maps[above]
    return parents


@dataclass(frozen=True)
class _Generalize:
    """Puts labels of a higher level in the place of those that rows have."""

    layout: GroupLayout
    above: GroupLayout
    maps: tuple[np.ndarray, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        words = generalized_words(rows, self.layout, self.above, self.maps)
        others = [rows[name] for name in rows.columns if name.startswith("s") or name == RECORDS]
        return self.above.keyed(joined_rows(words.with_columns(others), self.above))


def generalized_words(
    rows: pl.DataFrame, layout: GroupLayout, above: GroupLayout, maps: Sequence[np.ndarray]
) -> pl.DataFrame:
    """Return what is observable of rows, packed with labels of a higher level: by attribute, that of each label."""
    worths = enumerate(_worths(above, maps))
    return pl.DataFrame({f"w{i}": pl.Series(layout.added(rows, mine)) for i, mine in worths})


def _worths(above: GroupLayout, maps: Sequence[np.ndarray]) -> Iterator[list[np.ndarray]]:
    """Yield for each number of the rows above what the labels of each attribute add to it."""
    first = 0
    for word in above.words:
        worths, worth = [np.zeros_like(of_label) for of_label in maps], 1
        for place, size in enumerate(word.sizes, first):
            worths[place] = maps[place] * worth
            worth *= size
        first += len(word.sizes)
        yield worths


_CELL = "cell"
_CELLS: Columns = {_CELL: pl.UInt64(), RECORDS: pl.UInt64()}


@dataclass(frozen=True)
class _CountCells:
    """Counts records by the labels of some attributes."""

    layout: GroupLayout
    attributes: tuple[int, ...]
    shape: tuple[int, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        worths = [np.zeros(size, np.uint64) for word in self.layout.words for size in word.sizes]
        worth = 1
        for place, size in reversed([*zip(self.attributes, self.shape, strict=True)]):
            worths[place] = np.arange(size, dtype=np.uint64) * np.uint64(worth)
            worth *= size
        cells = self.layout.added(rows, worths).view(np.int64)
        counts = np.bincount(cells, rows[RECORDS].to_numpy(), minlength=worth)  # below 2⁵³: exact
        found = np.flatnonzero(counts)
        return pl.DataFrame({_CELL: found, RECORDS: counts[found]}, schema_overrides=dict(_CELLS))


class _AddCells:
    """Adds up the records of each cell of a partition."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return rows.group_by(_CELL).agg(pl.col(RECORDS).sum()).select(*_CELLS)


def node_table(
    hierarchies: Sequence[Hierarchy], node: Sequence[int], layout: GroupLayout, rows: pl.DataFrame
) -> PrivacyHashTable:
    """Return the groups of rows as the table of a node."""
    labels, counts = layout.groups(rows)
    values = [of_label(each, level)[codes] for each, level, codes in zip(hierarchies, node, labels, strict=True)]
    return PrivacyHashTable.of_groups(hierarchies, values, counts, node)


def of_label(hierarchy: Hierarchy, level: int) -> np.ndarray:
    """Return a value for each label at a level that has this label."""
    values = np.zeros(len(hierarchy.labels[level]), np.int32)
    values[hierarchy.maps[level]] = np.arange(hierarchy.n_values)
    return values
