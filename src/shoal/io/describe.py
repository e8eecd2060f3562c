"""A first look at a file without a schema: its columns, each with the type that its values have."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.errors import DataError, SchemaError
from shoal.io.formats.data_files import find_contents
from shoal.io.formats.location import Location
from shoal.io.formats.parts import open_parts
from shoal.io.formats.registry import file_format
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.frames import ReadableData, open_frame
from shoal.io.tables.values import typed_values
from shoal.profiling import ColumnValues

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


def open_unexplained(data: ReadableData) -> TabularFile:
    """Open data without a schema; a first line that contains numbers is taken for a record, not a header."""
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
        typed = {name: each.result() for name, each in zip(file.names, found, strict=True)}
    return TypedColumns(
        tuple(ColumnValues(name, values) for name, (values, _, _) in typed.items()),
        frozenset(name for name, (_, _, is_date) in typed.items() if is_date),
        tuple((name, missing) for name, (_, missing, _) in typed.items() if missing),
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


def _typed(raw: pl.Series, *, as_written: bool) -> tuple[pl.Series, int, bool]:
    """Return values with their type, how many were NaN or infinite, and whether text turned out to be dates."""
    if raw.dtype.is_float():
        finite = raw.to_frame().select(pl.when(pl.first().is_finite()).then(pl.first())).to_series()
        return typed_values(finite, None, as_written=as_written), finite.null_count() - raw.null_count(), False
    try:
        values = typed_values(raw, None, as_written=as_written)
    except DataError:  # some numbers are NaN or infinite: nothing else is refused where no type is asked for
        values = typed_values(raw, None, _NOT_FINITE, as_written=as_written)
        missing = values.null_count() - typed_values(raw, "text", as_written=as_written).null_count()
        return values, missing, False
    if values.dtype != pl.String:
        return values, 0, False
    dates = _dates(values)
    return dates, 0, dates.dtype != pl.String


def _dates(texts: pl.Series) -> pl.Series:
    first = texts.head(_FIRST).drop_nulls()
    if not len(first) or not first.str.contains(r"^\d{4}-\d{2}-\d{2}").all():
        return texts
    try:
        return typed_values(texts, "date", as_written=True)
    except DataError:
        return texts


_FIRST = 100
