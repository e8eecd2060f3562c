"""Whose records they are, where a person may have several: people are numbered where their records are.

All records of a person come into one partition, by a hash of what names the person, and are numbered there; the names
themselves are compared, so that people whose hashes coincide are told apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.io.tables.values import typed_values

__all__ = ["PERSON", "count_people", "distinct_people", "missing_values", "named", "number_persons", "repeating_values"]

PERSON = "person"
_HASH = "hash of names"
_PARTITION_BITS = 40
"""How many people a partition may have, in bits."""
_COUNT: Columns = {"number": pl.Int64()}


def named(rows: Partitions, names: Sequence[str], null: Sequence[float | str]) -> Partitions:
    """Return rows in which names are compared as those of a table in memory: without spaces, and null where missing."""
    schema = pl.DataFrame(schema=dict(rows.columns))
    typed = {name: _without_marks(schema[name], null).dtype for name in names}
    return rows.map_batches(_Named(tuple(names), tuple(null)), {**rows.columns, **typed})


@dataclass(frozen=True)
class _Named:
    names: tuple[str, ...]
    null: tuple[float | str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.with_columns(_without_marks(batch[name], self.null) for name in self.names)


def _without_marks(values: pl.Series, null: Sequence[float | str]) -> pl.Series:
    return typed_values(values, None, null, as_written=False)


@dataclass(frozen=True)
class _Hashed:
    names: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.with_columns(pl.struct(self.names).hash().alias(_HASH))


def _together(rows: Partitions, names: tuple[str, ...], n_rows: int, title: str) -> Partitions:
    """Return rows in partitions in which those of a name are together."""
    hashed = rows.map_batches(_Hashed(names), {**rows.columns, _HASH: pl.UInt64()})
    return hashed.shuffle(_HASH, n_rows, title)


def number_persons(rows: Partitions, names: tuple[str, ...], n_rows: int) -> Partitions:
    """Return rows with the number of the person of each in the place of the columns that name the person."""
    columns = {name: dtype for name, dtype in rows.columns.items() if name not in names}
    together = _together(rows, names, n_rows, "bringing the records of each person together")
    return together.map_partitions(_Number(names, tuple(columns)), {**columns, PERSON: pl.UInt64()})


@dataclass(frozen=True)
class _Number:
    names: tuple[str, ...]
    others: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        people = rows.select(pl.struct(self.names).rank("dense").cast(pl.UInt64)).to_series()
        offset = np.uint64(number << _PARTITION_BITS)
        return rows.select(*self.others, (people + offset).alias(PERSON))


def count_people(rows: Partitions) -> int:
    """Return how many people there are where all records of a person are in one partition."""
    return _total(rows.map_partitions(_CountPeople(), _COUNT), "counting people")


def distinct_people(rows: Partitions, n_rows: int) -> int:
    """Return how many different people rows are of, wherever these are."""
    return count_people(rows.shuffle(PERSON, n_rows, "bringing the records of each person together"))


@dataclass(frozen=True)
class _CountPeople:
    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return _number(rows[PERSON].n_unique() if rows.height else 0)


def missing_values(rows: Partitions, names: Sequence[str]) -> list[int]:
    """Return how many records have no value in each of some columns."""
    columns: Columns = dict.fromkeys(names, pl.Int64())
    found = rows.map_batches(_CountMissing(tuple(names)), columns).collect("looking for missing names")
    return [int(found[name].sum()) for name in names]


@dataclass(frozen=True)
class _CountMissing:
    names: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.select(pl.col(self.names).null_count().cast(pl.Int64))


def repeating_values(rows: Partitions, name: str, n_rows: int) -> int:
    """Count the records that share their value of a column with another; missing values are not shared."""
    together = _together(rows, (name,), n_rows, f"looking for values of {name} that repeat")
    return _total(together.map_partitions(_Repeating(name), _COUNT), "counting them")


@dataclass(frozen=True)
class _Repeating:
    name: str

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        values = rows[self.name].drop_nulls()
        return _number(int(values.is_duplicated().sum()) if len(values) else 0)


def _number(number: int) -> pl.DataFrame:
    return pl.DataFrame({"number": [number]}, schema=dict(_COUNT))


def _total(numbers: Partitions, title: str) -> int:
    return int(numbers.collect(title)["number"].sum())
