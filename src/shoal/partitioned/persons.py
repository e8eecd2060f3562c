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
    "Named",
    "Written",
    "count_people",
    "distinct_people",
    "missing_values",
    "named",
    "number_persons",
    "numbered_persons",
    "persons_together",
    "repeating_values",
    "types_of_names",
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

    def exact(self, values: pl.Series) -> pl.Series:
        """Return values of any type as text, null where they are missing; numbers with all their digits."""
        if not values.dtype.is_numeric():
            return typed_values(values, "text", self.null, as_written=False).cast(pl.String)
        marks = [float(mark) for mark in self.null if not isinstance(mark, str)]
        is_missing = pl.first().cast(pl.Float64).is_in(marks) | pl.first().is_null()
        return values.to_frame().select(pl.when(~is_missing).then(pl.first().cast(pl.String))).to_series()


def named(rows: Partitions, names: Sequence[str], written: Written) -> Partitions:
    """Return rows in which names are compared as those of a table in memory: null where missing, numbers as numbers."""
    return Named(types_of_names(rows, names, written), written).within(rows)


def types_of_names(rows: Partitions, names: Sequence[str], written: Written) -> dict[str, pl.DataType]:
    """Return the types in which names are compared.

    Texts are numbers where all of a column are written as numbers are: that is found first. Numbers that 64 bits do not
    hold in every case are compared as exact text, which tells the same people apart as in memory.
    """
    return {name: _type_of(rows, name, written) for name in names}


_TYPES: Columns = {"type": pl.String(), "odd": pl.Int64()}
_WHOLE, _REAL, _DAY, _TIME, _WORDS, _NOT_FINITE = "whole", "real", "day", "time", "words", "not finite"
_WIDE = (pl.UInt64(), pl.Int128(), pl.UInt128())


def _type_of(rows: Partitions, name: str, written: Written) -> pl.DataType:
    """Return the type of a column: that of an empty one, unless it depends on what is in it."""
    dtype, declared = rows.columns[name], written.types.get(name)
    if dtype != pl.String():
        is_wide = dtype in _WIDE or isinstance(dtype, pl.Decimal)
        return pl.String() if is_wide and declared != "number" else _typed_if_empty(name, dtype, written)
    if declared == "text" or (declared is None and not written.as_written):
        return pl.String()
    own = rows.map_batches(_LookAt(name, written), _TYPES).collect("looking at names")
    kinds = set(own["type"].drop_nulls())
    if declared == "date":
        if kinds == {_DAY, _TIME}:
            written.typed(pl.Series(name, ["2025-12-31", "2025-12-31 12:00"]))  # it raises, as of a column in memory
        return pl.Datetime("us") if _TIME in kinds else pl.Date()
    if _WORDS in kinds or kinds <= {_NOT_FINITE}:
        return pl.String() if declared is None else _typed_if_empty(name, dtype, written)
    if _NOT_FINITE in kinds:
        written.typed(pl.Series(name, ["1", *["nan"] * int(own["odd"].sum())]))  # it raises, as of a column in memory
    return pl.Float64() if _REAL in kinds else pl.Int64()


def _typed_if_empty(name: str, dtype: pl.DataType, written: Written) -> pl.DataType:
    return written.typed(pl.Series(name, [], dtype=dtype)).dtype


@dataclass(frozen=True)
class _LookAt:
    """Tells what a batch of texts is."""

    name: str
    written: Written

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        words = self.written.words(batch[self.name]).drop_nulls()
        is_odd = words.str.contains(NOT_FINITE)
        typed = self.written.typed(words.filter(~is_odd))
        found = [(_kind_of(typed.dtype), 0), (_NOT_FINITE, int(is_odd.sum()))]
        there = [bool(len(typed)), bool(is_odd.any())]
        return pl.DataFrame(found, schema=dict(_TYPES), orient="row").filter(pl.Series(there))


def _kind_of(dtype: pl.DataType) -> str:
    if dtype.is_temporal():
        return _DAY if dtype == pl.Date else _TIME
    return _WHOLE if dtype.is_integer() else _REAL if dtype.is_numeric() else _WORDS


@dataclass(frozen=True)
class Named:
    """Makes names of what is in a file, in the types in which they are compared."""

    types: dict[str, pl.DataType]
    written: Written

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        """Return rows with such names."""
        return batch.with_columns(self.of(batch[name]) for name in self.types)

    def within(self, rows: Partitions) -> Partitions:
        """Return rows with such names."""
        return rows.map_batches(self, {**rows.columns, **self.types})

    def of(self, values: pl.Series) -> pl.Series:
        """Return the names of a column."""
        dtype = self.types[values.name]
        if dtype != pl.String:
            return self.written.typed(values).cast(dtype)
        if values.dtype == pl.String:
            return self.written.words(values)
        return self.written.exact(values)


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
