"""A column as it is looked at: its values, how often each occurs, and its codes, each computed when it is asked for."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from shoal.data import Column
from shoal.kernels.numbering import distinct_keys

__all__ = ["ColumnValues", "CountedValues"]


@dataclass(frozen=True, eq=False, repr=False)
class CountedValues:
    """Every value of a column once, and how many records have it; missing values are counted apart."""

    values: pl.Series
    """Ascending where they are numbers or dates; text is in no particular order."""
    counts: np.ndarray
    """How many records have each of them: int64."""
    missing: int

    def __len__(self) -> int:
        return len(self.values)

    @property
    def given(self) -> int:
        """How many records have a value."""
        return int(self.counts.sum())

    @property
    def rows(self) -> int:
        """How many records there are."""
        return self.given + self.missing

    @property
    def told_apart(self) -> int:
        """How many kinds of records the column tells apart: one for each value, and one for those that have none."""
        return len(self) + (self.missing > 0)

    @property
    def is_unique(self) -> bool:
        """Whether no two records share a value, and more than one has one."""
        return len(self) == self.given > 1


class ColumnValues:
    """A named column of 64-bit numbers, dates or text. The repr shows no value."""

    def __init__(self, name: str, values: pl.Series) -> None:
        self.name = name
        self._values = values

    @classmethod
    def of(cls, column: Column) -> "ColumnValues":
        """Return a column of a table that has been read."""
        return _ReadColumn(column)

    def __repr__(self) -> str:
        return f"ColumnValues({self.name!r}, {self.type}, {len(self):,} records)"

    def __len__(self) -> int:
        return len(self._values)

    @property
    def type(self) -> Literal["number", "text", "date"]:
        """What the values are."""
        dtype = self._dtype
        return "number" if dtype.is_numeric() else "date" if dtype.is_temporal() else "text"

    @property
    def _dtype(self) -> pl.DataType:
        return self._values.dtype

    @cached_property
    def counted(self) -> CountedValues:
        """How often each value occurs."""
        given = self._values.drop_nulls() if self._values.null_count() else self._values
        missing = len(self._values) - len(given)
        if self.type != "text":
            runs = given.sort().rle().struct
            return CountedValues(runs.field("value"), runs.field("len").to_numpy().astype(np.int64), missing)
        # different hashes are of different values, so this decides exactly where it says that all of them differ
        if given.head(_FIRST).n_unique() == min(len(given), _FIRST) and given.hash().n_unique() == len(given):
            return CountedValues(given, np.ones(len(given), np.int64), missing)
        found = given.to_frame("value").group_by("value").len()
        return CountedValues(found["value"], found["len"].to_numpy().astype(np.int64), missing)

    @cached_property
    def codes(self) -> tuple[np.ndarray, int]:
        """The value of each record as a code from 0 on, a missing one like any other, and how many codes there are."""
        if self.type == "text":
            return self._codes_of_text
        return _numbered(self._values)

    @property
    def _codes_of_text(self) -> tuple[np.ndarray, int]:
        words = self.counted.values
        if len(words) == len(self):
            return np.arange(len(self)), len(self)
        places = self._values.cast(pl.Enum(words)).to_physical()
        codes = places.cast(pl.Int64).fill_null(len(words)).to_numpy()
        return codes, len(words) + (self.counted.missing > 0)

    @property
    def values(self) -> pl.Series:
        """The value of each record."""
        return self._values

    def sharing(self, values: np.ndarray) -> np.ndarray:
        """Return the records that have one of the counted values at these places."""
        chosen = np.zeros(len(self.counted), np.bool_)
        chosen[values] = True
        return np.flatnonzero(self.values.is_in(self.counted.values.filter(pl.Series(chosen)).implode()).to_numpy())

    def sampled(self, rows: np.ndarray) -> "ColumnValues":
        """Return the column of these records alone."""
        return ColumnValues(self.name, self._values.gather(rows))


class _ReadColumn(ColumnValues):
    """A column whose values have been counted already."""

    def __init__(self, column: Column) -> None:
        self.name = column.name
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    @property
    def _dtype(self) -> pl.DataType:
        return self._column.vocabulary.values.dtype

    @cached_property
    def counted(self) -> CountedValues:
        values, counts = self._column.vocabulary.values, self._column.counts
        occurring = (~values.is_null()).to_numpy() & (counts > 0)
        missing = int(counts[values.is_null().to_numpy()].sum())
        given = values.filter(pl.Series(occurring))
        order = given.arg_sort().to_numpy()
        return CountedValues(given.gather(order), counts[occurring][order].astype(np.int64), missing)

    @cached_property
    def codes(self) -> tuple[np.ndarray, int]:
        return self._column.codes.astype(np.int64), len(self._column.vocabulary)

    @property
    def values(self) -> pl.Series:
        return self._column.values

    def sampled(self, rows: np.ndarray) -> ColumnValues:
        return _ReadColumn(self._column.take(rows))


_FIRST = 1_000
"""Among so many values there is mostly a repeated one, unless all differ."""


def _numbered(values: pl.Series) -> tuple[np.ndarray, int]:
    """Number different numbers or dates; zero is the same with either sign."""
    physical = values.to_physical()
    if physical.dtype.is_float():
        numbers = physical.fill_null(np.nan).to_numpy() + 0.0
        return distinct_keys(numbers.view(np.int64))
    filled = physical.cast(pl.Int64)
    lowest, highest = filled.min(), filled.max()
    if lowest is None or highest is None:
        return np.zeros(len(values), np.int64), 1
    span = int(highest) - int(lowest) + 1  # type: ignore[arg-type]
    if span >= _WIDEST:
        keys, n = distinct_keys(np.ascontiguousarray(filled.fill_null(0).to_numpy()))
        keys[values.is_null().to_numpy()] = n
        return distinct_keys(keys)
    codes = (filled - lowest).fill_null(span).to_numpy()
    return codes, span + 1


_WIDEST = 1 << 20
"""Whole numbers in so short a stretch are their own codes."""
