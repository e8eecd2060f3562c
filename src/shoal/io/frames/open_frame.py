"""A frame opened as a file is: columns by name, of the same values as a file of the same frame would have.

A frame is recognized by what it can do, so that no library is imported that its owner does not use already. What has an
Arrow stream is read through it without a copy; what only has the older interchange protocol, through PyArrow.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import polars as pl

from shoal.errors import DataError, MissingExtraError, SchemaError, WordingError
from shoal.io.formats import data_files
from shoal.io.formats.location import Location
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.schemas import Schema

from .pandas_frame import is_pandas, read_pandas

__all__ = ["NAME", "Frame", "ReadableData", "is_frame", "open_data", "open_frame", "to_read_again"]

NAME = "the frame"
"""What messages call a frame: it has no name of its own."""


@runtime_checkable
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


@runtime_checkable
class _Interchange(Protocol):
    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any: ...  # noqa: FBT001, FBT002


Frame: TypeAlias = pl.DataFrame | pl.LazyFrame | _ArrowStream | _Interchange
"""A frame of Polars or pandas, an Arrow table or reader, or anything with one of the two protocols."""

ReadableData: TypeAlias = str | Path | Location | Frame
"""Data that can be opened: a path or another location, or a frame."""


def is_frame(data: object) -> bool:
    """Tell whether data are a frame."""
    return isinstance(data, pl.DataFrame | pl.LazyFrame | _ArrowStream | _Interchange)


def open_data(data: ReadableData, schema: Schema | None = None) -> TabularFile:
    """Open a frame, or the data at a location as one table."""
    if isinstance(data, str | Path | Location):
        return data_files.open_data(data, schema)
    return open_frame(data)


def open_frame(frame: Frame) -> TabularFile:
    """Open a frame; refuse columns whose values are not simple ones.

    A query of Polars is run once and for all, as it may give its rows in another order when it is run again.
    """
    if is_pandas(frame):
        columns, kind, notes = read_pandas(frame)
    else:
        columns, kind, notes = *_read(frame), ()
    types = dict(columns.schema)
    if not types:
        raise SchemaError(f"{NAME} has no columns.")
    for name, dtype in types.items():
        _refuse_unless_simple(name, dtype)
    # a column of pandas that holds whole numbers and gaps is one of floats there, and nowhere else
    values = _with_whole_numbers(columns) if is_pandas(frame) else columns
    said = (f"It is {kind}.", *notes)
    return TabularFile(NAME, tuple(types), values.lazy(), values.height, False, said, types=types)


def to_read_again(data: Any) -> Any:
    """Return the same data so that they can be opened twice: a query is run now, and a stream read, which ends."""
    if is_pandas(data) or isinstance(data, pl.DataFrame) or not is_frame(data):
        return data
    return _read(data)[0]


def _read(frame: Any) -> tuple[pl.DataFrame, str]:
    with faults_of(NAME):
        if isinstance(frame, pl.LazyFrame):
            return frame.collect(), "a query of Polars"
        if isinstance(frame, pl.DataFrame):
            return frame, "a DataFrame of Polars"
    if isinstance(frame, _ArrowStream):
        return _from_arrow(frame), "an Arrow stream"
    if isinstance(frame, _Interchange):
        return _from_arrow(_interchanged(frame)), "a frame that was read by the interchange protocol"
    raise not_data(frame)


def not_data(given: object) -> WordingError:
    """Return the refusal of something that is neither a path nor a frame."""
    kind = "a dict" if isinstance(given, Mapping) else f"an object of the class {type(given).__name__!r}"
    return WordingError(
        f"Data are a file, a folder or a frame of Polars, pandas or Arrow, and this is {kind}.",
        "Write polars.DataFrame(…) around it, for example.",
    )


def _from_arrow(stream: Any) -> pl.DataFrame:
    try:
        return pl.DataFrame(stream)
    except pl.exceptions.DuplicateError:
        raise SchemaError(f"Two columns of {NAME} have the same name.", "Rename one of them.") from None
    except Exception:  # noqa: BLE001 - the other side may raise anything, and may quote the data
        raise DataError(
            f"{NAME} cannot be read through Arrow.", "Turn it into a frame of Polars, pandas or PyArrow."
        ) from None


def _interchanged(frame: _Interchange) -> Any:
    try:
        from pyarrow.interchange import from_dataframe
    except ImportError:
        raise MissingExtraError(
            "A frame with the interchange protocol alone is read with PyArrow.", "Run: pip install 'shoal[pandas]'"
        ) from None
    try:
        return from_dataframe(frame)
    except Exception:  # noqa: BLE001 - as above
        raise DataError(
            f"{NAME} cannot be read by the interchange protocol.",
            "Turn it into a frame of Polars, pandas or PyArrow.",
        ) from None


def _refuse_unless_simple(name: str, dtype: pl.DataType) -> None:
    if dtype.is_numeric() or isinstance(
        dtype, pl.String | pl.Categorical | pl.Enum | pl.Boolean | pl.Date | pl.Datetime | pl.Time | pl.Null
    ):
        return
    if isinstance(dtype, pl.Duration):
        cure = f"Write it as a number of seconds, or leave it out: frame.drop({name!r})."
    else:
        cure = f"Leave it out, frame.drop({name!r}), or write it as text or in columns of its own."
    raise SchemaError(f"The column {name!r} of {NAME} holds values that are not simple, of type {_kind(dtype)}.", cure)


def _kind(dtype: pl.DataType) -> str:
    return type(dtype).__name__.lower()  # of a nested type no more: the names of its fields may be data


def _with_whole_numbers(columns: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with floats as whole numbers where a column has gaps and nothing but whole numbers besides."""
    return columns.with_columns(
        column.cast(pl.Int64) for column in columns.iter_columns() if column.dtype.is_float() and _is_whole(column)
    )


def _is_whole(column: pl.Series) -> bool:
    if column.null_count() in (0, len(column)):
        return False
    given = column.drop_nulls()
    # beyond 2⁵³ a float no longer says which whole number was meant
    return bool((given.is_finite() & (given.abs() < 2**53) & (given.floor() == given)).all())
