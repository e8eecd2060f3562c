"""A column as it is looked at: its values, how often each occurs, and its codes, each computed when it is asked for."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from shoal.data import Column
from shoal.kernels.numbering import distinct_keys, key_counts, number_floats

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
        return _EncodedColumn(column.name, column.vocabulary.values, column.codes)

    @classmethod
    def encoded(cls, name: str, words: pl.Series, codes: np.ndarray) -> "ColumnValues":
        """Return a column by the places of its values among ``words``, which may repeat or be missing."""
        if words.dtype.is_float():  # zero is the same with either sign
            words = words.to_frame().select(pl.when(pl.first() == 0).then(0.0).otherwise(pl.first())).to_series()
        if words.n_unique() == len(words):
            return _EncodedColumn(name, words, codes)
        firsts = words.to_frame("word").with_row_index("place").select(pl.col("place").first().over("word"))
        kept, numbers = np.unique(firsts.to_series().to_numpy(), return_inverse=True)
        return _EncodedColumn(name, words.gather(kept), numbers.ravel().astype(codes.dtype)[codes])

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
        if self.type == "text":
            return _counted_text(self._values)
        return _counted_numbers(self._values)

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


class _EncodedColumn(ColumnValues):
    """A column of few values, by their places among all there are; one of these may be the missing one."""

    def __init__(self, name: str, words: pl.Series, codes: np.ndarray) -> None:
        self.name = name
        self._words, self._codes = words, codes

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def _dtype(self) -> pl.DataType:
        return self._words.dtype

    @cached_property
    def counted(self) -> CountedValues:
        counts = np.bincount(self._codes, minlength=len(self._words))
        is_null = self._words.is_null().to_numpy()
        occurring = np.flatnonzero(~is_null & (counts > 0))
        given = self._words.gather(occurring)
        order = given.arg_sort().to_numpy()
        return CountedValues(given.gather(order), counts[occurring[order]], int(counts[is_null].sum()))

    @cached_property
    def codes(self) -> tuple[np.ndarray, int]:
        return self._codes, len(self._words)

    @property
    def values(self) -> pl.Series:
        return self._words.gather(self._codes)

    def sampled(self, rows: np.ndarray) -> ColumnValues:
        return _EncodedColumn(self.name, self._words, self._codes[rows])


_FIRST = 1_000
"""Among so many values there is mostly a repeated one, unless all differ."""


def _counted_text(values: pl.Series) -> CountedValues:
    given = values.drop_nulls() if values.null_count() else values
    missing = len(values) - len(given)
    # different hashes are of different values, so this decides exactly where it says that all of them differ
    if given.head(_FIRST).n_unique() == min(len(given), _FIRST):
        hashes = given.hash().to_numpy().view(np.int64)
        if len(key_counts(hashes)) == len(given):
            return CountedValues(given, np.ones(len(given), np.int64), missing)
    found = given.to_frame("value").group_by("value").len()
    return CountedValues(found["value"], found["len"].to_numpy().astype(np.int64), missing)


def _counted_numbers(values: pl.Series) -> CountedValues:
    given = values.drop_nulls() if values.null_count() else values
    missing, physical = len(values) - len(given), given.to_physical()
    if physical.dtype.is_float():
        distinct, numbers = number_floats((physical.to_numpy() + 0.0).view(np.uint64), _FEW_FLOATS)
        if len(distinct) <= _FEW_FLOATS:
            found, counts = distinct.view(np.float64), np.bincount(numbers, minlength=len(distinct))
            order = np.argsort(found)
            return CountedValues(pl.Series(found[order]), counts[order], missing)
    elif (span := _span(physical)) is not None and span[1] <= _PLACES * len(given):
        counts = np.bincount(physical.cast(pl.Int64).to_numpy() - span[0])
        places = np.flatnonzero(counts)
        return CountedValues(
            pl.Series(places + span[0]).cast(physical.dtype).cast(values.dtype), counts[places], missing
        )
    runs = given.sort().rle().struct
    return CountedValues(runs.field("value"), runs.field("len").to_numpy().astype(np.int64), missing)


_FEW_FLOATS = 1 << 14
"""So many different numbers are counted by their bits; more are sorted."""
_PLACES = 4
"""Whole numbers are counted in an array if it has at most so many places for each; else they are sorted."""


def _span(whole: pl.Series) -> tuple[int, int] | None:
    """Return the lowest number, and how many places there are up to the highest; None of no number."""
    lowest, highest = whole.min(), whole.max()
    if lowest is None or highest is None:
        return None
    return int(lowest), int(highest) - int(lowest) + 1  # type: ignore[arg-type]


def _numbered(values: pl.Series) -> tuple[np.ndarray, int]:
    """Number different numbers or dates; zero is the same with either sign."""
    physical = values.to_physical()
    if physical.dtype.is_float():
        numbers = physical.fill_null(np.nan).to_numpy() + 0.0
        return distinct_keys(numbers.view(np.int64))
    filled = physical.cast(pl.Int64)
    span = _span(filled)
    if span is None:
        return np.zeros(len(values), np.int64), 1
    lowest, width = span
    if width >= _WIDEST:
        keys, n = distinct_keys(np.ascontiguousarray(filled.fill_null(0).to_numpy()))
        keys[values.is_null().to_numpy()] = n
        return distinct_keys(keys)
    codes = (filled - lowest).fill_null(width).to_numpy()
    return codes, width + 1


_WIDEST = 1 << 20
"""Whole numbers in so short a stretch are their own codes."""
