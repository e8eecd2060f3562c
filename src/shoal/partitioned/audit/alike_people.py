"""How many people share the values of insensitive columns with few others.

Where people have several records, all records of a person are in one partition: the people of a combination of values
are counted there and added up, and only the people of combinations that are rare in a partition are told by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from shoal.backends import Columns, Partitions
from shoal.data import Column
from shoal.partitioned.persons import PERSON, distinct_people

from .release_rows import NUMBER, keys_of

__all__ = ["PartitionedPeople"]

_KEY = "key"
_PEOPLE = "people"


@dataclass(frozen=True)
class PartitionedPeople:
    """People whose records are not in memory."""

    rows: Partitions
    """Rows of codes; where people have several records, those of a person in one partition."""
    places: dict[str, str]
    """The column of codes of each column."""
    n_records: int
    everybody: int

    @property
    def unit(self) -> str:
        """What is counted."""
        return "people" if PERSON in self.rows.columns else "records"

    def among_fewer(self, columns: Sequence[Column], k: int) -> int:
        """Count the people who share the combination of their values in columns with fewer than ``k`` − 1 others."""
        names = tuple(self.places[column.name] for column in columns)
        kinds: Columns = {name: self.rows.columns[name] for name in names}
        if PERSON not in self.rows.columns:
            counted = self.rows.map_batches(_CountRecords(names), {**kinds, _PEOPLE: pl.Int64(), _KEY: pl.UInt64()})
            together = counted.shuffle(_KEY, self.n_records, "looking for rare values")
            found = together.map_partitions(_RareRecords(names, k), NUMBER).collect("looking for rare values")
            return int(found["number"].sum())
        told: Columns = {**kinds, _PEOPLE: pl.Int64(), PERSON: pl.UInt64(), _KEY: pl.UInt64()}
        counted = self.rows.map_partitions(_CountPeople(names, k), told)
        together = counted.shuffle(_KEY, self.n_records, "looking for rare values")
        rare = together.map_partitions(_RarePeople(names, k), {PERSON: pl.UInt64()})
        return distinct_people(rare, self.n_records)


@dataclass(frozen=True)
class _CountRecords:
    names: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        counted = rows.group_by(self.names).agg(pl.len().cast(pl.Int64).alias(_PEOPLE))
        return counted.with_columns(keys_of(counted, self.names).alias(_KEY))


@dataclass(frozen=True)
class _RareRecords:
    names: tuple[str, ...]
    k: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        people = rows.group_by(self.names).agg(pl.col(_PEOPLE).sum())[_PEOPLE]
        return pl.DataFrame({"number": [people.filter(people < self.k).sum()]}, schema=dict(NUMBER))


@dataclass(frozen=True)
class _CountPeople:
    """Counts the people of each combination; tells who they are where they are few."""

    names: tuple[str, ...]
    k: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        pairs = rows.select(*self.names, PERSON).unique()
        sized = pairs.with_columns(pl.len().over(self.names).cast(pl.Int64).alias(_PEOPLE))
        few = sized.filter(pl.col(_PEOPLE) < self.k).with_columns(pl.lit(1, pl.Int64).alias(_PEOPLE))
        many = sized.filter(pl.col(_PEOPLE) >= self.k).group_by(self.names).agg(pl.col(_PEOPLE).first())
        both = pl.concat([few, many.with_columns(pl.lit(None, pl.UInt64).alias(PERSON))], how="diagonal")
        return both.select(*self.names, _PEOPLE, PERSON, keys_of(both, self.names).alias(_KEY))


@dataclass(frozen=True)
class _RarePeople:
    names: tuple[str, ...]
    k: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        rare = rows.filter(pl.col(_PEOPLE).sum().over(self.names) < self.k)
        return rare.select(PERSON).unique()
