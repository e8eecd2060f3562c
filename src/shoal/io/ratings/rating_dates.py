"""The days on which ratings were given, read separately from the ratings.

Unless the schema publishes periods of dates (:mod:`.dated_items`), no promise looks at dates and no release contains
them. They may be background knowledge, so attacks on raw ratings can use them.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from shoal.data import Ratings, part_of
from shoal.errors import DataError, SchemaError
from shoal.io.formats.data_files import find_contents
from shoal.io.formats.location import Location
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.frames import ReadableData, open_data
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source
from shoal.kernels.compressed_rows import find_entries
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY

from .days_of_dates import days_of_dates
from .movielens import open_movielens
from .netflix import dated_lines

__all__ = ["rating_dates"]

Batch = tuple[pl.Series, pl.Series, pl.Series]


def rating_dates(data: ReadableData, source: Source, column: str) -> np.ndarray:
    """Read the day of each observable rating from the file or frame that the ratings were read from.

    Dates are written as 2025-12-31, with or without a time, or as seconds since 1970. Days are counted from 1970 in
    the order of the matrix: int32, and ``UNKNOWN_DAY`` where the field is empty.
    """
    ratings, schema = part_of(source.records, "answers"), source.schema
    if not (isinstance(ratings, Ratings) and isinstance(schema, RatingsSchema)) or schema.layout in ("wide", "baskets"):
        raise SchemaError("Dates are read only from files with one rating a line.", "Leave the dates out.")
    if schema.dates is not None:
        raise SchemaError(
            "The dates of these ratings are published in periods, which attackers know of every item.",
            "Leave out --dates.",
        )
    if column not in source.columns or column in _columns(schema):
        raise SchemaError(
            f"There is no column {column!r} that could hold dates.", f"There are: {', '.join(source.columns)}."
        )
    matrix = ratings.observable
    days = np.full(matrix.n_ratings, UNKNOWN_DAY, np.int32)
    for users, items, dates in _batches(data, schema, column):
        places = find_entries(matrix.indptr, matrix.indices, ratings.users.codes(users), matrix.items.codes(items))
        found = places >= 0
        days[places[found]] = days_of_dates(dates, column)[found]
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
            yield from ((users, items, dates) for users, items, _, dates in dated_lines(file))
    elif isinstance(data, str | Path | Location) and schema.layout == "movielens":
        yield from _of_columns(open_movielens(find_contents(data)[0]), "user", "item", column)
    else:
        assert schema.user is not None
        assert schema.item is not None
        yield from _of_columns(open_data(data, schema), schema.user, schema.item, column)


def _of_columns(file: TabularFile, user: str, item: str, date: str) -> Iterator[Batch]:
    for batch in file.batches(user, item, date):
        yield batch[user], batch[item], batch[date]
