"""What a table becomes when each quasi-identifier is generalized to a level: its labels, and which records leave."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.data import Column, CountedColumn, Hierarchy, Role, Vocabulary
from shoal.evidence import Grouping
from shoal.models import PrivacyModel

from .group_rows import RECORDS, GroupLayout, packings
from .lattice import hierarchies_of
from .node_judging import Totals, withheld_in_turn
from .table import PartitionedTable, coded_name

__all__ = ["Generalization", "KeepRows", "RowsOfGroups", "counts_of_values"]


@dataclass(frozen=True)
class Generalization:
    """How each column of a table is published: the label of each value."""

    table: PartitionedTable
    node: tuple[int, ...]

    @property
    def maps(self) -> tuple[np.ndarray, ...]:
        """By column, the code of the label of each value."""
        return tuple(np.arange(len(column.vocabulary)) if how is None else how[0] for column, how in self._columns)

    @property
    def labels(self) -> tuple[Vocabulary, ...]:
        """By column, the labels."""
        return tuple(column.vocabulary if how is None else how[1] for column, how in self._columns)

    @property
    def _columns(self) -> list[tuple[CountedColumn, tuple[np.ndarray, Vocabulary] | None]]:
        levels = iter(zip(hierarchies_of(self.table), self.node, strict=True))
        return [
            (column, _at_level(*next(levels)) if column.role is Role.QUASI_IDENTIFIER else None)
            for column in self.table.columns
        ]

    @property
    def unchanged(self) -> tuple[np.ndarray, ...]:
        """By column, whether each value is published as it is; columns that are not generalized are left out of it."""
        same = []
        for column, how in self._columns:
            words = column.vocabulary.values.cast(pl.String)
            labels = words if how is None else how[1].values.cast(pl.String).gather(how[0])
            same.append(words.eq_missing(labels).to_numpy())
        return tuple(same)

    @property
    def is_empty(self) -> bool:
        """Whether every quasi-identifier that has something to lose is published as its root."""
        levels = zip(hierarchies_of(self.table), self.node, strict=True)
        at_root = [level == hierarchy.height for hierarchy, level in levels if hierarchy.n_leaves > 1]
        return bool(at_root) and all(at_root)

    def layout(self, *, sensitive: bool) -> GroupLayout:
        """Return how the groups of generalized records are laid out."""
        table, labels = self.table, dict(zip((each.name for each in self.table.columns), self.labels, strict=True))
        words = packings(table.codes_of(table.observable), [len(labels[each.name]) for each in table.observable])
        return GroupLayout(words, table.sensitive if sensitive else ())

    def published(self, counts: Sequence[np.ndarray]) -> tuple[CountedColumn, ...]:
        """Return the columns as they are published, if so many published records have each value."""
        return tuple(
            CountedColumn.of(column.recoded(labels, column.codes), np.bincount(maps, given, minlength=len(labels)))
            if column.role is Role.QUASI_IDENTIFIER
            else replace(column, numbers=given)
            for column, labels, maps, given in zip(self.table.columns, self.labels, self.maps, counts, strict=True)
        )


def _at_level(hierarchy: Hierarchy, level: int) -> tuple[np.ndarray, Vocabulary]:
    return hierarchy.maps[level], hierarchy.labels[level]


@dataclass(frozen=True)
class RowsOfGroups:
    """Writes rows of values as rows of groups, by their labels."""

    layout: GroupLayout
    maps: tuple[np.ndarray, ...]
    sensitive: tuple[str, ...]
    """The columns of sensitive codes."""

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return a row of groups for each row, which is one record."""
        labels = pl.DataFrame(
            [pl.Series(coded_name(i), maps[rows[coded_name(i)].to_numpy()]) for i, maps in enumerate(self.maps)]
        )
        words = {f"w{i}": pl.Series(word.packed(labels)) for i, word in enumerate(self.layout.words)}
        codes = {f"s{i}": rows[name] for i, name in enumerate(self.sensitive)}
        grouped = pl.DataFrame({**words, **codes}).with_columns(pl.lit(1, pl.UInt64).alias(RECORDS))
        return self.layout.keyed(grouped)


_KEY = "key of the group"


@dataclass(frozen=True)
class _Key:
    grouped: Shared[RowsOfGroups]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        grouped = self.grouped.value
        return rows.with_columns(grouped(rows)[grouped.layout.key].alias(_KEY))


@dataclass(frozen=True)
class KeepRows:
    """Leaves out the records whose groups break a promise, wherever they are."""

    grouped: Shared[RowsOfGroups]
    models: tuple[PrivacyModel, ...]
    totals: Shared[tuple[Totals, ...]]

    """What groups are compared with, time after time; nothing where nothing may be withheld."""

    def kept(self, rows: Partitions, n_rows: int) -> Partitions:
        """Return the rows that may be published, those of a group in one partition."""
        keyed = rows.map_batches(_Key(self.grouped), {**rows.columns, _KEY: pl.UInt64()})
        together = keyed.shuffle(_KEY, n_rows, "grouping what is published")
        return together.map_partitions(self, rows.columns)

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return the rows of a partition that may be published."""
        rows = rows.drop(_KEY)
        if not rows.height or not self.totals.value:
            return rows
        grouping, gone = self._withheld(rows)
        return rows.filter(~pl.Series(grouping.members(gone)))

    def _withheld(self, rows: pl.DataFrame) -> tuple[Grouping, np.ndarray]:
        grouped = self.grouped.value
        grouping, counts = grouped.layout.counted(grouped(rows))
        return grouping, withheld_in_turn(counts, self.models, self.totals.value)


_VALUES: Columns = {"column": pl.UInt32(), "value": pl.UInt32(), "records": pl.Int64()}


def counts_of_values(rows: Partitions, columns: Sequence[Column]) -> list[np.ndarray]:
    """Return by column how many records have each value."""
    found = rows.map_batches(_CountValues(len(columns)), _VALUES).collect("counting what is published")
    summed = found.group_by("column", "value").agg(pl.col("records").sum())
    counts = []
    for place, column in enumerate(columns):
        mine = summed.filter(pl.col("column") == place)
        counts.append(np.zeros(len(column.vocabulary), np.int64))
        counts[-1][mine["value"].to_numpy()] = mine["records"].to_numpy()
    return counts


@dataclass(frozen=True)
class _CountValues:
    n_columns: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        counted = [
            rows.group_by(pl.col(coded_name(place)).cast(pl.UInt32).alias("value"))
            .agg(pl.len().cast(pl.Int64).alias("records"))
            .select(pl.lit(place, pl.UInt32).alias("column"), "value", "records")
            for place in range(self.n_columns)
        ]
        return pl.concat([pl.DataFrame(schema=dict(_VALUES)), *counted])
