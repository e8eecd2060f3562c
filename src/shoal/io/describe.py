"""A first look at a file without a schema: its columns, each with the type that its values have."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from shoal.errors import DataError, InputError, SchemaError
from shoal.io.formats.data_files import find_contents
from shoal.io.formats.location import Location
from shoal.io.formats.parts import open_parts
from shoal.io.formats.registry import file_format
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.frames import ReadableData, open_frame
from shoal.io.tables.values import typed_values
from shoal.profiling import ColumnValues

from .read import UnrecognizedError
from .schemas import RatingsSchema

__all__ = ["TypedColumns", "open_unexplained", "typed_columns"]


@dataclass(frozen=True)
class TypedColumns:
    """The columns of a file, each with the type that its values have."""

    columns: tuple[ColumnValues, ...]
    dates: frozenset[str]
    """The columns of text all of whose values are dates: a schema must say so."""
    not_finite: tuple[tuple[str, int], ...]
    """The columns in which numbers are NaN or infinite, taken for missing here, and how many are."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the owner should know of how the values were taken."""
        return tuple(
            f"The column {name!r} has {count:,} values that are NaN or infinite; they are counted as missing here, and "
            'a schema must declare them: null = ["NaN"].'
            for name, count in self.not_finite
        )


def open_unexplained(data: ReadableData, error: InputError | None = None) -> TabularFile:
    """Open data without a schema; a first line that contains numbers is taken for a record, not a header.

    ``error`` is that of reading them without a schema, where this was tried: mostly they have been opened by then.
    """
    opened = error.file if isinstance(error, UnrecognizedError) else None
    if opened is not None and not (opened.as_written and _has_a_number(opened.names)):
        return opened
    if not isinstance(data, str | Path | Location):
        return open_frame(data)
    contents = find_contents(data)
    if not file_format(contents[0]).is_text:
        return open_parts(contents, None)
    try:
        file = open_parts(contents, None)
    except SchemaError:  # perhaps because names are missing or repeat
        return open_parts(contents, RatingsSchema(header=False))
    return open_parts(contents, RatingsSchema(header=False)) if _has_a_number(file.names) else file


def _has_a_number(names: Sequence[str]) -> bool:
    if any("::" in name for name in names):
        return True  # fields separated as MovieLens does it, which is read only where a schema says so
    return pl.Series(names, dtype=pl.String).str.strip_chars().cast(pl.Float64, strict=False).count() > 0


def typed_columns(file: TabularFile) -> TypedColumns:
    """Read all columns; numbers that are written as text are numbers, and dates are dates."""
    file.refuse_if_empty()
    with faults_of(file.name), ThreadPoolExecutor(_THREADS) as threads:
        found = [threads.submit(_typed, raw, as_written=file.as_written) for raw in _read(file)]
        typed = [each.result() for each in found]
    return TypedColumns(
        tuple(column for column, _, _ in typed),
        frozenset(column.name for column, _, is_date in typed if is_date),
        tuple((column.name, missing) for column, missing, _ in typed if missing),
    )


_THREADS = 2


_CELLS = 40_000_000
"""So many fields are read at once; a text of a few letters takes about 16 bytes."""


def _read(file: TabularFile) -> Iterator[pl.Series]:
    """Yield every column as it is written, a few at a time."""
    at_once = max(_CELLS // max(file.rows, 1), 1)
    for start in range(0, len(file.names), at_once):
        frame = file.frame(*file.names[start : start + at_once])
        while frame.width:
            yield frame.drop_in_place(frame.columns[0])


_NOT_FINITE = ("NaN", "nan", "NAN", "inf", "-inf", "+inf", "Inf", "-Inf", "Infinity", "-Infinity", "infinity")


def _typed(raw: pl.Series, *, as_written: bool) -> tuple[ColumnValues, int, bool]:
    """Return values with their type, how many were NaN or infinite, and whether text turned out to be dates."""
    if raw.dtype.is_float():
        finite = raw.to_frame().select(pl.when(pl.first().is_finite()).then(pl.first())).to_series()
        missing = finite.null_count() - raw.null_count()
        return ColumnValues(raw.name, typed_values(finite, None, as_written=as_written)), missing, False
    if raw.dtype != pl.String or not _repeats(raw):
        values, is_missing, is_date = _typed_words(raw, as_written=as_written)
        return ColumnValues(raw.name, values), int(is_missing.sum()), is_date
    # each text is looked at once, however many records have it
    encoded = raw.cast(pl.Categorical(pl.Categories.random()))
    codes = encoded.to_physical()
    n = int(codes.max() or 0) + 1 if codes.count() else 0  # type: ignore[arg-type]
    words = pl.int_range(n, eager=True).cast(codes.dtype).cat.to(encoded.dtype).cast(pl.String).alias(raw.name)
    if raw.null_count():
        codes, words = codes.fill_null(n), words.append(pl.Series([None], dtype=pl.String))
    codes = codes.cast(pl.Int32)
    values, is_missing, is_date = _typed_words(words, as_written=as_written)
    column = ColumnValues.encoded(raw.name, values, codes.to_numpy())
    missing = int(np.bincount(codes.to_numpy(), minlength=len(words))[is_missing.to_numpy()].sum())
    return column, missing, is_date


_SAMPLED = 10_000
_REPEATING = 0.9


def _repeats(texts: pl.Series) -> bool:
    """Tell whether the same texts occur again and again; nothing but the time that is needed depends on it."""
    sample = texts.gather_every(max(len(texts) // _SAMPLED, 1))
    return sample.n_unique() <= _REPEATING * len(sample)


def _typed_words(raw: pl.Series, *, as_written: bool) -> tuple[pl.Series, pl.Series, bool]:
    """Return values with their type, which of them are NaN or infinite, and whether text turned out to be dates."""
    try:
        values = typed_values(raw, None, as_written=as_written)
    except DataError:  # some numbers are NaN or infinite: nothing else is refused where no type is asked for
        values = typed_values(raw, None, _NOT_FINITE, as_written=as_written)
        return values, values.is_null() & typed_values(raw, "text", as_written=as_written).is_not_null(), False
    none = pl.repeat(False, len(values), eager=True)
    if values.dtype != pl.String:
        return values, none, False
    dates = _dates(values)
    return dates, none, dates.dtype != pl.String


def _dates(texts: pl.Series) -> pl.Series:
    first = texts.head(_FIRST).drop_nulls()
    if not len(first) or not first.str.contains(r"^\d{4}-\d{2}-\d{2}").all():
        return texts
    try:
        return typed_values(texts, "date", as_written=True)
    except DataError:
        return texts


_FIRST = 100
