"""The people of the groups of a node, counted where all records of a person are in one partition."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.data import Hierarchy
from shoal.evidence import GroupCounts, PrivacyHashTable, ValueCounts
from shoal.kernels.groups.counts import merge_counts
from shoal.partitioned.group_rows import RECORDS, GroupLayout, group_rows, packings
from shoal.partitioned.node_rows import generalized_words, of_label, parents
from shoal.partitioned.persons import PERSON, persons_together
from shoal.partitioned.table import PartitionedTable

__all__ = ["GROUP_KEY", "AddUp", "Count", "Label", "NodeGroups", "PersonRows"]

_PART = "part"
"""0: the people of a group; above: those who have a value of the sensitive column of this number, less 1."""
_VALUE = "value"
_PEOPLE = "people"


@dataclass(frozen=True)
class PersonRows:
    """Records as they are, those of a person in one partition; equal ones of a person are one row."""

    rows: Partitions
    layout: GroupLayout
    hierarchies: tuple[Hierarchy, ...]
    n_rows: int

    @classmethod
    def of(cls, table: PartitionedTable, hierarchies: Sequence[Hierarchy], *, sensitive: bool) -> "PersonRows":
        """Bring the records of each person together; with their sensitive values, if asked."""
        groups = group_rows(table, sensitive=sensitive)
        together = persons_together(groups.rows, table.n_records)
        columns = {**groups.layout.columns, RECORDS: pl.UInt64()}
        rows = together.map_partitions(_join_equal, columns).persist("joining equal records")
        return cls(rows, groups.layout, tuple(hierarchies), table.n_records)

    def labeling(self, node: Sequence[int]) -> "Label":
        """Return how the rows of a node are made."""
        sizes = [len(hierarchy.labels[level]) for hierarchy, level in zip(self.hierarchies, node, strict=True)]
        layout = replace(self.layout, words=packings([f"c{i}" for i in range(len(sizes))], sizes))
        lowest = (0,) * len(sizes)
        return Label(self.layout, layout, tuple(map(parents, self.hierarchies, lowest, node)))


def _join_equal(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    return rows.group_by(pl.all()).agg(pl.len().cast(pl.UInt64).alias(RECORDS))


@dataclass(frozen=True)
class Label:
    """Puts labels of a node in the place of values."""

    layout: GroupLayout
    above: GroupLayout
    maps: tuple[np.ndarray, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows with the labels of the node."""
        words = generalized_words(rows, self.layout, self.above, self.maps)
        others = [rows[name] for name in rows.columns if name.startswith("s") or name in (PERSON, RECORDS)]
        return words.with_columns(others)

    @property
    def words(self) -> list[str]:
        """The columns that name a group."""
        return [f"w{i}" for i in range(len(self.above.words))]

    @property
    def columns(self) -> Columns:
        """The columns of what is counted of groups."""
        words = dict.fromkeys(self.words, pl.UInt64())
        numbers = {_PART: pl.UInt8(), _VALUE: pl.UInt32(), _PEOPLE: pl.Int64(), RECORDS: pl.Int64()}
        return {**words, **numbers, GROUP_KEY: pl.UInt64()}


GROUP_KEY = "key of the group"


@dataclass(frozen=True)
class Count:
    """Counts the people of the groups of a partition, and those who have each sensitive value."""

    label: Label

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return a row for each group, and for each value in it."""
        words, rows = self.label.words, self.label(rows)
        counted = [self._numbers(rows.group_by(words).agg(_people(), pl.col(RECORDS).sum()), 0)]
        for i in range(len(self.label.above.sensitive)):
            values = rows.group_by(*words, pl.col(f"s{i}").alias(_VALUE)).agg(_people())
            counted.append(self._numbers(values, i + 1))
        return pl.concat(counted)

    def _numbers(self, counted: pl.DataFrame, part: int) -> pl.DataFrame:
        keyed = self.label.above.keyed(counted)
        given = {_PART: pl.lit(part), _VALUE: pl.lit(0), RECORDS: pl.lit(0)}
        lacking = [value.alias(name) for name, value in given.items() if name not in counted.columns]
        whole = keyed.with_columns(*lacking, pl.col(self.label.above.key).alias(GROUP_KEY))
        return whole.select(pl.col(name).cast(dtype) for name, dtype in self.label.columns.items())


def _people() -> pl.Expr:
    return pl.col(PERSON).n_unique().alias(_PEOPLE)


@dataclass(frozen=True)
class AddUp:
    """Adds up what was counted of the same group in several partitions."""

    label: Label

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return one row for each group, and for each value in it."""
        kinds = [*self.label.words, _PART, _VALUE, GROUP_KEY]
        return rows.group_by(kinds).agg(pl.col(_PEOPLE).sum(), pl.col(RECORDS).sum()).select(*self.label.columns)


@dataclass(frozen=True)
class NodeGroups:
    """Makes groups of the rows of a partition in which the people of groups are counted."""

    label: Label
    hierarchies: tuple[Hierarchy, ...]
    node: tuple[int, ...]

    def people(self, rows: pl.DataFrame) -> tuple[np.ndarray, GroupCounts]:
        """Return the group of each row, and the people of groups."""
        layout = self.label.above
        labels, sizes_at = layout.grouping(rows), rows[_PART].to_numpy() == 0
        n_groups, people = labels.n_groups, rows[_PEOPLE].to_numpy()
        sizes = np.zeros(n_groups, np.int64)
        sizes[labels.labels[sizes_at]] = people[sizes_at]
        values = []
        for i, column in enumerate(layout.sensitive):
            here = rows[_PART].to_numpy() == i + 1
            codes, n_values = rows[_VALUE].to_numpy()[here].astype(np.int32), len(column.vocabulary)
            alone = np.arange(len(codes) + 1)
            indptr, found, counts = merge_counts(labels.labels[here], n_groups, alone, codes, people[here], n_values)
            values.append(ValueCounts(indptr, found, counts, n_values, layout.known(i)))
        return labels.labels, GroupCounts(sizes, tuple(values))

    def table(self, rows: pl.DataFrame, labels: np.ndarray, n_groups: int) -> PrivacyHashTable:
        """Return the groups with the numbers of their records."""
        sizes_at = np.flatnonzero(rows[_PART].to_numpy() == 0)
        first, records = np.zeros(n_groups, np.int64), np.zeros(n_groups, np.int64)
        first[labels[sizes_at]] = sizes_at
        records[labels[sizes_at]] = rows[RECORDS].to_numpy()[sizes_at]
        codes = self.label.above.observable(rows[first])
        values = [of_label(*each) for each in zip(self.hierarchies, self.node, strict=True)]
        own = [by_label[each] for by_label, each in zip(values, codes, strict=True)]
        return PrivacyHashTable.of_groups(self.hierarchies, own, GroupCounts(records), self.node)
