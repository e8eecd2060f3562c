"""Segments of a table brought to workers, each of which has all records of a segment and makes groups of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import polars as pl

from shoal.anonymizers.promises import refuse_unless_merge_safe, refuse_without_groups
from shoal.backends import Shared
from shoal.data import CountedColumn, Microdata
from shoal.errors import SchemaError
from shoal.kernels.compiled import set_num_threads
from shoal.models import PrivacyModel
from shoal.partitioned.persons import numbered_persons, persons_together
from shoal.partitioned.table import PartitionedTable, coded_name
from shoal.partitioned.write_parts import DRAWN, drawn

from .cut_tree import CutTree, FollowCuts

__all__ = ["GROUP", "SEGMENT", "gathered", "grouped_by_workers", "part_of_table", "refuse_unfit"]

GROUP = "group"
"""The column with the number of a record's group in its partition."""
SEGMENT = "segment"
"""The column with the number of a record's segment, its leaf in the tree of the first cuts."""


class SegmentGroups(Protocol):
    """Makes groups of a segment."""

    def __call__(self, rows: pl.DataFrame, /) -> np.ndarray:
        """Return the group of each record of a segment, from 0 on; its number is in the column :data:`SEGMENT`."""
        ...


def refuse_unfit(table: PartitionedTable, models: Sequence[PrivacyModel], method: str) -> None:
    """Refuse promises and tables whose segments cannot be recoded each by itself."""
    refuse_unless_merge_safe(method, models)
    refuse_without_groups(method, models)
    if not table.quasi_identifiers:
        raise SchemaError("There is no quasi-identifier to generalize.", "Give columns that role in the schema.")


def gathered(table: PartitionedTable) -> PartitionedTable:
    """Return the table read once; where people may have several records, those of each are in one partition."""
    if table.names_people:
        return replace(table, rows=persons_together(table.rows, table.n_records))
    return replace(table, rows=table.rows.persist("reading records"))


def grouped_by_workers(table: PartitionedTable, tree: CutTree, groups: SegmentGroups) -> PartitionedTable:
    """Return the table with the number of each record's group, and with what was drawn for it."""
    columns = {**table.rows.columns, SEGMENT: pl.UInt64()}
    finding = _FindSegment(table.backend.shared(tree.followed()), table.codes_of(table.quasi_identifiers))
    segments = table.rows.map_batches(finding, columns).shuffle(SEGMENT, len(table), "bringing segments together")
    grouped = segments.map_partitions(
        _GroupSegments(table.backend.shared(groups)), {**table.rows.columns, GROUP: pl.UInt32()}
    )
    return replace(table, rows=grouped.persist("making groups") if DRAWN in grouped.columns else drawn(grouped))


def part_of_table(columns: Sequence[CountedColumn], rows: pl.DataFrame) -> Microdata:
    """Return some records in memory, with whose they are; values are as frequent as in the whole table."""
    codes = (column.among_all(rows[coded_name(place)].to_numpy()) for place, column in enumerate(columns))
    return Microdata(tuple(codes), numbered_persons(rows))


@dataclass(frozen=True)
class _FindSegment:
    """Finds the segment of each record."""

    followed: Shared[FollowCuts]
    names: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        found = self.followed.value(rows, self.names)
        return rows.with_columns(pl.Series(SEGMENT, found).cast(pl.UInt64))


@dataclass(frozen=True)
class _GroupSegments:
    """Makes groups of the segments of a partition, one after the other."""

    groups: Shared[SegmentGroups]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        set_num_threads(1)  # others are at work on other partitions, and not every compiled loop may run beside others
        rows = rows.sort(SEGMENT)
        groups, n_groups = [np.zeros(0, np.int64)], 0
        for segment in rows.partition_by(SEGMENT, maintain_order=True) if rows.height else []:
            groups.append(n_groups + self.groups.value(segment))
            n_groups = int(groups[-1].max()) + 1
        return rows.drop(SEGMENT).with_columns(pl.Series(GROUP, np.concatenate(groups)).cast(pl.UInt32))
