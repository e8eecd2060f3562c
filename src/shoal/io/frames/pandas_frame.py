"""What is special about frames of pandas: an index, names that are not text, and columns of Python objects."""

import sys
from typing import Any

import polars as pl

from shoal.errors import MissingExtraError, SchemaError

__all__ = ["is_pandas", "read_pandas"]


def is_pandas(frame: object) -> bool:
    """Tell whether this is a frame of pandas, without importing pandas."""
    pandas = sys.modules.get("pandas")  # whoever has a frame of pandas has imported it
    return pandas is not None and isinstance(frame, pandas.DataFrame)


def read_pandas(frame: Any) -> tuple[pl.DataFrame, str, tuple[str, ...]]:
    """Return the columns of a pandas frame, what it is, and what is to be said of its index.

    An index with names is data, often who a row is of: it is read as the first columns. One without are the labels of
    rows, and not read.
    """
    index = frame.index
    named = [name for name in index.names if name is not None]
    notes = []
    if len(named) == index.nlevels:
        frame = _with_index(frame, named)
        notes.append(f"Its index is read as the column{'s' * (len(named) > 1)} {', '.join(map(repr, named))}.")
    elif type(index).__name__ != "RangeIndex":
        notes.append("Its index has no name and is not read: name it, or call reset_index(), if it holds data.")
    names = _names(frame)
    arrays = {name: _array(name, frame.iloc[:, place]) for place, name in enumerate(names)}
    return pl.DataFrame([_series(name, array) for name, array in arrays.items()]), "a DataFrame of pandas", (*notes,)


def _with_index(frame: Any, named: list[Any]) -> Any:
    if set(named) & set(frame.columns) or len(set(named)) < len(named):
        raise SchemaError(
            "The index of the frame has the name of a column.", "Rename it, or drop it: frame.reset_index(drop=True)."
        )
    return frame.reset_index()


def _names(frame: Any) -> list[str]:
    if frame.columns.nlevels > 1:
        raise SchemaError(
            "The columns of the frame have names of several levels.",
            "Join them first: frame.columns = ['_'.join(map(str, name)) for name in frame.columns].",
        )
    names = [str(name) for name in frame.columns]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise SchemaError(f"Two columns of the frame are named {repeated!r}.", "Rename one of them.")
    return names


def _array(name: str, column: Any) -> Any:
    """Return a column as an Arrow array; a missing value of pandas, whichever it is, becomes null."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError(
            "A DataFrame of pandas is read with PyArrow.", "Run: pip install 'shoal[pandas]'"
        ) from None
    try:
        return pa.Array.from_pandas(column)
    except Exception:  # noqa: BLE001 - the message quotes the values that do not fit together
        raise SchemaError(
            f"The column {name!r} of the frame holds Python objects of several kinds.",
            f"Make them text, frame[{name!r}] = frame[{name!r}].astype('string'), or leave the column out.",
        ) from None


def _series(name: str, array: Any) -> pl.Series:
    """Return an Arrow array as a series; categories with an order keep it."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_dictionary(kind) and kind.ordered:
        categories = (array.chunk(0) if isinstance(array, pa.ChunkedArray) else array).dictionary
        if pa.types.is_string(categories.type) or pa.types.is_large_string(categories.type):
            return pl.Series(name, array).cast(pl.Enum(pl.Series(categories)))
    return pl.Series(name, array)
