"""How many people have each sensitive value, where a person may have several records."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns
from shoal.data import CountedColumn
from shoal.partitioned.group_rows import GroupLayout, GroupRows
from shoal.partitioned.persons import PERSON, persons_together
from shoal.partitioned.sums import sums_by_key
from shoal.partitioned.table import PartitionedTable

__all__ = ["people_by_value", "people_of_values"]

_VALUES: Columns = {"column": pl.UInt32(), "value": pl.Int64(), "people": pl.Int64()}


def people_by_value(groups: GroupRows) -> list[np.ndarray]:
    """Return of each sensitive column how many people of a group have each value, over all groups."""
    sensitive = groups.layout.sensitive
    counted = groups.rows.map_partitions(_CountValues(groups.layout), _VALUES)
    return _by_column(sums_by_key(counted, ["column", "value"], "counting people by value"), sensitive)


def _by_column(found: pl.DataFrame, sensitive: Sequence[CountedColumn]) -> list[np.ndarray]:
    mine = (found.filter(pl.col("column") == i) for i in range(len(sensitive)))
    return [
        np.bincount(each["value"], each["people"], minlength=len(column.vocabulary)).astype(np.int64)
        for each, column in zip(mine, sensitive, strict=True)
    ]


@dataclass(frozen=True)
class _CountValues:
    """Counts the people of a partition who have each sensitive value, group by group."""

    layout: GroupLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        counts = self.layout.counted(rows)[1] if rows.height else None
        parts = [
            pl.DataFrame({"column": i, "value": each.values, "people": each.counts})
            for i, each in enumerate(() if counts is None else counts.sensitive)
        ]
        counted = [part.group_by("column", "value").agg(pl.col("people").sum()) for part in parts]
        typed = [part.select(pl.col(name).cast(dtype) for name, dtype in _VALUES.items()) for part in counted]
        return pl.concat([pl.DataFrame(schema=dict(_VALUES)), *typed])


def people_of_values(table: PartitionedTable, *, are_together: bool = False) -> list[np.ndarray]:
    """Return of each sensitive column how many people have each value: once each, in however many groups they are.

    ``are_together`` says that all records of a person are in one partition already.
    """
    sensitive, rows = table.sensitive, table.rows
    counting = _CountOnce(table.codes_of(sensitive))
    if table.names_people:
        together = rows if are_together else persons_together(rows, table.n_records)
        counted = together.map_partitions(counting.of_partition, _VALUES)
    else:
        counted = rows.map_batches(counting, _VALUES)
    return _by_column(sums_by_key(counted, ["column", "value"], "counting people by value"), sensitive)


@dataclass(frozen=True)
class _CountOnce:
    coded: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        people = pl.col(PERSON).n_unique() if PERSON in rows.columns else pl.len()
        counted = [
            rows.group_by(pl.col(name).cast(pl.Int64).alias("value"))
            .agg(people.cast(pl.Int64).alias("people"))
            .select(pl.lit(i, pl.UInt32).alias("column"), "value", "people")
            for i, name in enumerate(self.coded)
        ]
        return pl.concat([pl.DataFrame(schema=dict(_VALUES)), *counted])

    def of_partition(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self(rows)
