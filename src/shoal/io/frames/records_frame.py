"""Records as a frame: in the layout of their source, and in the types that its columns came in."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from shoal.data import Records, Survey
from shoal.errors import MissingExtraError, WordingError
from shoal.io.folders.write_records import record_blocks
from shoal.io.schemas import RatingsSchema, Schema

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    PandasFrame: TypeAlias = pd.DataFrame
    ArrowTable: TypeAlias = pa.Table

__all__ = ["arrow_table", "pandas_frame", "records_frame", "refuse_two_frames"]


def records_frame(records: Records, schema: Schema, types: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return records as a frame of Polars."""
    refuse_two_frames(records, schema)
    return pl.concat([frame for _, frame in record_blocks(records, schema, types)], rechunk=True)


def refuse_two_frames(records: Records, schema: Schema) -> None:
    """Refuse a survey whose demographics are not in the lines of its answers."""
    if isinstance(records, Survey) and isinstance(schema, RatingsSchema) and schema.layout != "wide":
        raise WordingError(
            "A survey with one rating a line is two tables, its ratings and its people, and no single frame.",
            "Publish it to a folder, or read it with one person a line.",
        )


def arrow_table(frame: pl.DataFrame) -> "ArrowTable":
    """Return a frame as a table of PyArrow, without a copy where that is possible."""
    _refuse_without("pyarrow")
    return frame.to_arrow()


def pandas_frame(frame: pl.DataFrame) -> "PandasFrame":
    """Return a frame as one of pandas; whole numbers and truth values with gaps are of its types that allow for them.

    By the other types a whole number would become a float where another is missing, and be written as 5.0.
    """
    _refuse_without("pyarrow")
    _refuse_without("pandas")
    import pandas as pd

    nullable: dict[Any, Any] = {pl.Boolean: pd.BooleanDtype()}
    nullable |= {dtype: getattr(pd, f"{dtype.__name__}Dtype")() for dtype in _WHOLE}
    converted = frame.to_pandas()
    for column in frame.iter_columns():
        wanted = nullable.get(column.dtype.base_type())
        if wanted is not None and column.null_count():
            converted[column.name] = wanted.__from_arrow__(column.to_arrow())
        if isinstance(column.dtype, pl.Categorical):  # without an order of their own, as pandas has them
            categories = converted[column.name].cat
            converted[column.name] = categories.reorder_categories(sorted(categories.categories))
    return converted


_WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)


def _refuse_without(library: str) -> None:
    from importlib.util import find_spec

    if find_spec(library) is None:
        raise MissingExtraError(f"This needs {library}.", "Run: pip install 'shoal[pandas]'")
