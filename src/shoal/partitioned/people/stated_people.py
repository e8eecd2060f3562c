"""What a release states of the people behind its classes, where a person may have several records.

Whose records they are does not leave. The number of people of each class does, and where promises need it that of the
people who have each sensitive value in it: one record names the class, the one for which the lowest number was drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.data import Column, Microdata, Role
from shoal.engines.people_by_group import dominated_groups
from shoal.evidence import GroupCounts, Grouping, NeedGroups
from shoal.models import PrivacyModel
from shoal.partitioned.kept_rows import RowsOfGroups
from shoal.partitioned.persons import PERSON, STATED
from shoal.partitioned.table import PartitionedTable
from shoal.partitioned.write_parts import DRAWN

__all__ = ["dominated_classes", "stated_attributes", "with_stated_people"]


def stated_attributes(table: PartitionedTable, models: Sequence[PrivacyModel]) -> tuple[str | None, ...]:
    """Return of what people are counted: of each class (None), and of each value of these sensitive columns in it."""
    values = any(isinstance(model.need, NeedGroups) and model.need.amounts for model in models)
    return (None, *(column.name for column in table.sensitive if values))


def with_stated_people(rows: Partitions, grouped: RowsOfGroups, n_attributes: int) -> Partitions:
    """Return rows, those of a group in one partition, with the numbers of people at those that name a class."""
    stated = {f"{STATED}{i}": pl.Int64() for i in range(n_attributes)}
    return rows.map_partitions(_State(grouped, n_attributes), {**rows.columns, **stated})


@dataclass(frozen=True)
class _State:
    grouped: RowsOfGroups
    n_attributes: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return rows.with_columns(pl.lit(None, pl.Int64).alias(f"{STATED}{i}") for i in range(self.n_attributes))
        rows = rows.sort(DRAWN)
        made = self.grouped(rows)
        grouping, counts = self.grouped.layout.counted(made)
        numbers = [_at_first(grouping.labels, counts.sizes[grouping.labels])]
        values = range(self.n_attributes - 1)
        numbers += [_of_values(counts, i, grouping, made[f"s{i}"].to_numpy()) for i in values]
        return rows.with_columns(each.alias(f"{STATED}{i}") for i, each in enumerate(numbers))


def _of_values(counts: GroupCounts, place: int, grouping: Grouping, codes: np.ndarray) -> pl.Series:
    people = counts.sensitive[place]
    # entries lie in the order of their keys, so that of each record is found by halving
    keys = people.groups * people.n_values + people.values
    own = grouping.labels * people.n_values + codes
    return _at_first(own, people.counts[np.searchsorted(keys, own)])


def _at_first(classes: np.ndarray, people: np.ndarray) -> pl.Series:
    """Return the number of people at the first record of each class, and nothing at the others."""
    first = pl.Series(classes).is_first_distinct()
    return pl.select(pl.when(first).then(pl.Series(people.astype(np.int64)))).to_series()


_NUMBER: Columns = {"number": pl.Int64()}


@dataclass(frozen=True)
class _Dominated:
    grouped: RowsOfGroups
    k: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        found = 0
        if rows.height:
            whose = Column.encode(PERSON, Role.IDENTIFIER, rows[PERSON])
            table = Microdata((whose,), whose.codes.astype(np.int64))
            found = dominated_groups(table, self.grouped.grouping(rows), self.k)
        return pl.DataFrame({"number": [found]}, schema=dict(_NUMBER))


def dominated_classes(rows: Partitions, grouped: RowsOfGroups, k: int) -> int:
    """Count the classes in which more than 1 of k records are of one person."""
    found = rows.map_partitions(_Dominated(grouped, k), _NUMBER)
    return int(found.collect("looking at large shares")["number"].sum())
