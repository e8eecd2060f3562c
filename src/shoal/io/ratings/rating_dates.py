"""The days on which ratings were given, read separately from the ratings.

No promise looks at dates and no release contains them. They may be background knowledge, so attacks on raw ratings can
use them.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from shoal.data import Ratings
from shoal.errors import DataError, SchemaError
from shoal.io.formats.contents import Contents
from shoal.io.formats.data_files import find_contents
from shoal.io.formats.location import Location
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.frames import ReadableData, open_data
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source
from shoal.kernels.compressed_rows import find_entries
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY

from .movielens import open_movielens

__all__ = ["rating_dates"]

_LINES = 1 << 20
_SECONDS_A_DAY = 86_400
_LATEST = 10**11  # seconds: the year 5138; more are milliseconds
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T].*)?$"
_SECONDS = r"^-?[0-9]{1,11}$"
_NO_DELIMITER = "\0"  # lines are read whole, as headings have no fields

Batch = tuple[pl.Series, pl.Series, pl.Series]


def rating_dates(data: ReadableData, source: Source, column: str) -> np.ndarray:
    """Read the day of each observable rating from the file or frame that the ratings were read from.

    Dates are written as 2025-12-31, with or without a time, or as seconds since 1970. Days are counted from 1970 in
    the order of the matrix: int32, and ``UNKNOWN_DAY`` where the field is empty.
    """
    ratings, schema = source.records, source.schema
    if not (isinstance(ratings, Ratings) and isinstance(schema, RatingsSchema)) or schema.layout in ("wide", "baskets"):
        raise SchemaError("Dates are read only from files with one rating a line.", "Leave the dates out.")
    if column not in source.columns or column in _columns(schema):
        raise SchemaError(
            f"There is no column {column!r} that could hold dates.", f"There are: {', '.join(source.columns)}."
        )
    matrix = ratings.observable
    days = np.full(matrix.n_ratings, UNKNOWN_DAY, np.int32)
    for users, items, dates in _batches(data, schema, column):
        places = find_entries(matrix.indptr, matrix.indices, ratings.users.codes(users), matrix.items.codes(items))
        found = places >= 0
        days[places[found]] = _days(dates, column)[found]
    if (days == UNKNOWN_DAY).all():
        raise DataError(f"No rating has a date in the column {column!r}.", "Name another column.")
    return days


def _columns(schema: RatingsSchema) -> tuple[str | None, ...]:
    """Return the columns of users, items and ratings: as the schema names them, or as the layout does."""
    named = schema.user, schema.item, schema.rating
    return named if schema.layout == "long" else ("user", "item", "rating")


def _batches(data: ReadableData, schema: RatingsSchema, column: str) -> Iterator[Batch]:
    """Yield users, items and dates as they are written."""
    if isinstance(data, str | Path | Location) and schema.layout == "netflix":
        for file in find_contents(data):
            yield from _of_netflix(file)
    elif isinstance(data, str | Path | Location) and schema.layout == "movielens":
        yield from _of_columns(open_movielens(find_contents(data)[0]), "user", "item", column)
    else:
        assert schema.user is not None
        assert schema.item is not None
        yield from _of_columns(open_data(data, schema), schema.user, schema.item, column)


def _of_columns(file: TabularFile, user: str, item: str, date: str) -> Iterator[Batch]:
    for batch in file.batches(user, item, date):
        yield batch[user], batch[item], batch[date]


def _of_netflix(file: Contents) -> Iterator[Batch]:
    """Yield users, items and dates of lines ``user,rating,date``; the heading ``movie:`` above them is the item."""
    heading, line = None, pl.col("line").str.strip_chars_end("\r")
    with faults_of(file.name):
        scan = pl.scan_csv(
            file.source, has_header=False, separator=_NO_DELIMITER, quote_char=None, schema={"line": pl.String}
        )
        for batch in scan.collect_batches(chunk_size=_LINES, maintain_order=True):
            fields = line.str.splitn(",", 3).struct.rename_fields(["user", "rating", "date"]).struct.unnest()
            above = pl.when(line.str.ends_with(":")).then(line.str.strip_chars_end(":")).forward_fill()
            lines = batch.select(fields, item=above.fill_null(pl.lit(heading, pl.String)))
            heading = lines["item"].last() if len(lines) else heading
            given = lines.drop_nulls("rating")
            yield given["user"], given["item"], given["date"]


def _days(dates: pl.Series, column: str) -> np.ndarray:
    """Return days since 1970, ``UNKNOWN_DAY`` where the field is empty."""
    if dates.dtype.is_temporal():
        days = dates.cast(pl.Date, strict=False).cast(pl.Int32)
    elif dates.dtype.is_numeric():
        days = _of_seconds(dates.cast(pl.Float64).floor().cast(pl.Int64, strict=False))
    else:
        dates = dates.cast(pl.String).str.strip_chars().replace("", None)
        days = _of_texts(dates)
    odd = days.null_count() - dates.null_count()
    if odd:
        raise DataError(
            f"{odd:,} values of the column {column!r} are not dates.",
            "Write dates as 2025-12-31 or as whole seconds since 1970.",
        )
    return days.fill_null(UNKNOWN_DAY).to_numpy()


def _of_texts(texts: pl.Series) -> pl.Series:
    text = pl.first()
    date = pl.when(text.str.contains(_DATE)).then(text.str.slice(0, 10)).str.to_date("%Y-%m-%d", strict=False)
    seconds = pl.when(text.str.contains(_SECONDS)).then(text).cast(pl.Int64)
    read = texts.to_frame().select(date=date.cast(pl.Int32), seconds=seconds)
    return (
        read.with_columns(_of_seconds(read["seconds"]).alias("seconds"))
        .select(pl.coalesce("date", "seconds"))
        .to_series()
    )


def _of_seconds(seconds: pl.Series) -> pl.Series:
    in_time = pl.when(pl.first().is_between(-_LATEST, _LATEST)).then(pl.first())
    return seconds.to_frame().select((in_time // _SECONDS_A_DAY).cast(pl.Int32)).to_series()
