"""The types that columns came in, and which of them what is published still has room for.

Reading makes 64-bit numbers, dates and text of all values. What is published gets the type of its column back where
that holds exactly the same values: a number its width, a category its kind. Labels such as ``20-29`` are text.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Records, Role, Survey
from shoal.errors import DataError
from shoal.io.schemas import RatingsSchema, Schema
from shoal.io.tables.values import typed_values

__all__ = ["as_it_came", "ids_as_they_came", "kept_types"]

_ZONED = "%Y-%m-%d %H:%M:%S%.f%z"


def kept_types(records: Records, schema: Schema, types: Mapping[str, pl.DataType]) -> dict[str, pl.DataType]:
    """Return the types that published columns get back.

    Nothing is said of columns that do not leave, and categories are those that occur: all that a column once had would
    reveal the values of records that are withheld or generalized.
    """
    return {name: dtype for name, dtype in _fitting(records, schema, types).items() if name in types}


def _fitting(records: Records, schema: Schema, types: Mapping[str, pl.DataType]) -> dict[str, pl.DataType]:
    if isinstance(records, Survey):
        return {**_fitting(records.ratings, schema, types), **_fitting(records.table, schema, types)}
    if isinstance(records, Microdata):
        columns = [column for column in records.columns if column.role is not Role.IDENTIFIER]
        return {each.name: as_it_came(each.vocabulary.values, types.get(each.name)).dtype for each in columns}
    assert isinstance(records, Ratings)
    assert isinstance(schema, RatingsSchema)
    points = pl.Series(records.scale.decode(np.arange(records.scale.points)))
    words = [part.items.values.cast(pl.String) for part in (records.observable, records.sensitive)]
    if schema.layout == "wide":
        names = [name for part in words for name in part]
        return {name: as_it_came(points, types.get(name)).dtype for name in names}
    item, rating = schema.item or "item", schema.rating or "rating"
    items = pl.concat(words)
    if all(part.items.values.dtype.is_integer() for part in (records.observable, records.sensitive) if len(part.items)):
        items = items.cast(pl.Int64)
    return {
        item: ids_as_they_came(items, types.get(item)).dtype,
        rating: as_it_came(points, types.get(rating)).dtype,
    }


def ids_as_they_came(values: pl.Series, dtype: pl.DataType | None) -> pl.Series:
    """Return ids in the type of their column: whole numbers that were written as text are text again."""
    if values.dtype.is_integer() and isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        values = values.cast(pl.String)
    return as_it_came(values, dtype)


def as_it_came(values: pl.Series, dtype: pl.DataType | None) -> pl.Series:
    """Return values in the type of their column if it holds exactly these, and as they are otherwise."""
    if dtype is None or dtype == values.dtype or isinstance(dtype, pl.Null):
        return values
    try:
        cast = _cast(values, dtype)
        return values if cast is None or not _is_same(cast, values) else cast
    except (pl.exceptions.PolarsError, OverflowError, DataError):  # the last where a narrower float is infinite
        return values


def _cast(values: pl.Series, dtype: pl.DataType) -> pl.Series | None:
    """Return values in another type, missing where it has no room; None where there is no way to it."""
    is_text = values.dtype == pl.String
    if isinstance(dtype, pl.Enum):
        occurring = dtype.categories.filter(dtype.categories.is_in(values.drop_nulls().implode()))
        return values.cast(pl.Enum(occurring), strict=False) if is_text else None
    if isinstance(dtype, pl.Categorical):
        return values.cast(pl.Categorical()) if is_text else None
    if isinstance(dtype, pl.Boolean):
        return values == "true" if is_text else None
    if is_text and isinstance(dtype, pl.Datetime):
        written = _ZONED if dtype.time_zone else None
        return values.str.to_datetime(written, time_zone=dtype.time_zone, strict=False).cast(dtype)
    if is_text and isinstance(dtype, pl.Date):
        return values.str.to_date("%Y-%m-%d", strict=False)
    if is_text and isinstance(dtype, pl.Time):
        return values.str.to_time("%H:%M:%S%.f", strict=False)
    return values.cast(dtype, strict=False)


def _is_same(cast: pl.Series, values: pl.Series) -> bool:
    """Return whether values that were cast are read as the same values again."""
    read = typed_values(cast, "text" if values.dtype == pl.String else None, as_written=False)
    if (read.dtype == pl.String) != (values.dtype == pl.String):
        return False
    return bool(read.eq_missing(values).all())
