"""Whose records they are, where a person may have several: people are numbered where their records are.

All records of a person come into one partition, by a hash of what names the person, and are numbered there; the names
themselves are compared, so that people whose hashes coincide are told apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.io.tables.values import NOT_FINITE, Type, typed_values

__all__ = [
    "PERSON",
    "STATED",
    "Written",
    "count_people",
    "distinct_people",
    "missing_values",
    "named",
    "number_persons",
    "numbered_persons",
    "persons_together",
    "repeating_values",
]

PERSON = "person"
"""The column with the number of the person, where people may have several records."""
STATED = "stated"
"""How the columns begin that have the number of people at the record that names a class, in a release."""
_HASH = "hash of names"
_PARTITION_BITS = 40
"""How many people a partition may have, in bits."""
_COUNT: Columns = {"number": pl.Int64()}


@dataclass(frozen=True)
class Written:
    """How values are written in a file."""

    null: tuple[float | str, ...] = ()
    """The marks that mean null."""
    as_written: bool = False
    """Whether texts may be numbers."""
    decimal: Literal[".", ","] = "."
    types: Mapping[str, str | None] = field(default_factory=dict)
    """The declared types of columns."""

    def typed(self, values: pl.Series) -> pl.Series:
        """Return values in their own type."""
        wanted = cast(Type | None, self.types.get(values.name))
        return typed_values(values, wanted, self.null, as_written=self.as_written, decimal=self.decimal)

    def words(self, values: pl.Series) -> pl.Series:
        """Return texts as they are, null where they are missing."""
        return typed_values(values, "text", self.null, as_written=self.as_written)


def named(rows: Partitions, names: Sequence[str], written: Written) -> Partitions:
    """Return rows in which names are compared as those of a table in memory: null where missing, numbers as numbers.

    Texts are numbers where all of a column are written as numbers are: that is found first.
    """
    types = {name: _type_of(rows, name, written) for name in names}
    return rows.map_batches(_Named(types, written), {**rows.columns, **types})


_TYPES: Columns = {"type": pl.String(), "odd": pl.Int64()}
_WHOLE, _REAL, _WORDS, _NOT_FINITE = "whole", "real", "words", "not finite"


def _type_of(rows: Partitions, name: str, written: Written) -> pl.DataType:
    """Return the type of a column: that of an empty one, unless texts may be numbers."""
    dtype = rows.columns[name]
    if dtype != pl.String() or not written.as_written or written.types.get(name) == "text":
        return written.typed(pl.Series(name, [], dtype=dtype)).dtype
    own = rows.map_batches(_LookAt(name, written), _TYPES).collect("looking at names")
    kinds = set(own["type"].drop_nulls())
    if _WORDS in kinds or kinds <= {_NOT_FINITE}:
        return pl.String()
    if _NOT_FINITE in kinds:
        written.typed(pl.Series(name, ["1", *["nan"] * int(own["odd"].sum())]))  # it raises, as of a column in memory
    return pl.Float64() if _REAL in kinds else pl.Int64()


@dataclass(frozen=True)
class _LookAt:
    """Tells what a batch of texts is."""

    name: str
    written: Written

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        words = self.written.words(batch[self.name]).drop_nulls()
        is_odd = words.str.contains(NOT_FINITE)
        typed = self.written.typed(words.filter(~is_odd))
        kind = _WHOLE if typed.dtype.is_integer() else _REAL if typed.dtype.is_numeric() else _WORDS
        found = [(kind, 0), (_NOT_FINITE, int(is_odd.sum()))]
        there = [bool(len(typed)), bool(is_odd.any())]
        return pl.DataFrame(found, schema=dict(_TYPES), orient="row").filter(pl.Series(there))


@dataclass(frozen=True)
class _Named:
    types: dict[str, pl.DataType]
    written: Written

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.with_columns(self._typed(batch[name], dtype) for name, dtype in self.types.items())

    def _typed(self, values: pl.Series, dtype: pl.DataType) -> pl.Series:
        is_text = values.dtype == pl.String and dtype == pl.String
        return (self.written.words(values) if is_text else self.written.typed(values)).cast(dtype)


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


def numbered_persons(rows: pl.DataFrame) -> np.ndarray | None:
    """Return the person of each of some records, numbered from 0 on; None where each is of another person."""
    return rows[PERSON].rank("dense").to_numpy().astype(np.int64) - 1 if PERSON in rows.columns else None


def count_people(rows: Partitions) -> int:
    """Return how many people there are where all records of a person are in one partition."""
    return _total(rows.map_partitions(_CountPeople(), _COUNT), "counting people")


def persons_together(rows: Partitions, n_rows: int) -> Partitions:
    """Return rows in partitions in which all records of a person are in one."""
    return rows.shuffle(PERSON, n_rows, "bringing the records of each person together")


def distinct_people(rows: Partitions, n_rows: int) -> int:
    """Return how many different people rows are of, wherever these are."""
    return count_people(persons_together(rows, n_rows))


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
