"""Dates of ratings, published in periods.

A rating of an item in a period is a rating of the pair of both: inside, the pair is the item, ``item · period``. So
whatever promises, methods and attacks say of items they say of items and periods: records are alike if they have
rated the same items in the same periods, and a person who rated an item in two periods rated two pairs. Files have the
pair in two columns. Where the date of a rating is empty, so is the period, which is one of its own.
"""

from collections.abc import Collection, Iterator
from typing import Final

import polars as pl

from shoal.data.item_periods import with_periods, without_periods
from shoal.io.schemas import RatingsSchema
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY

from .days_of_dates import days_of_dates

__all__ = ["date_column", "dated_batches", "dated_items", "sensitive_pairs"]

_WRITTEN: Final = {"month": r"^[0-9]{4}-[0-9]{2}$", "quarter": r"^[0-9]{4}-Q[1-4]$", "year": r"^[0-9]{4}$"}
"""How periods are written, as a release has them."""

Batch = tuple[pl.Series, pl.Series, pl.Series]


def date_column(schema: RatingsSchema, usual: str | None = None) -> tuple[str, ...]:
    """Return the column of dates to be read, if the schema publishes periods; none otherwise."""
    if schema.dates is None:
        return ()
    column = schema.date or usual
    assert column is not None, "a schema that publishes dates names their column"
    return (column,)


def dated_batches(batches: Iterator[tuple[pl.Series, ...]], schema: RatingsSchema) -> Iterator[Batch]:
    """Yield users, items and ratings; where the batches have dates as well, pairs in the place of items."""
    for users, items, ratings, *dates in batches:
        yield users, dated_items(items, dates[0], schema) if dates else items, ratings


def dated_items(items: pl.Series, dates: pl.Series, schema: RatingsSchema) -> pl.Series:
    """Return the pairs of items and the periods of their dates; a missing item stays missing."""
    return with_periods(items, _periods(dates, schema))


def sensitive_pairs(pairs: pl.Series, sensitive: Collection[str]) -> tuple[str, ...]:
    """Return the pairs of sensitive items; a sensitive item that has none stays, to be refused by its name."""
    items = without_periods(pairs)[0]
    absent = set(sensitive) - set(items)
    return (*pairs.filter(items.is_in(list(sensitive))), *sorted(absent))


def _periods(dates: pl.Series, schema: RatingsSchema) -> pl.Series:
    """Return the period of each date, which may be written as one already; empty where there is no date."""
    assert schema.dates is not None
    texts = dates if dates.dtype.is_temporal() else dates.cast(pl.String).str.strip_chars().replace("", None)
    days = texts.cast(pl.String)
    ready = days.str.contains(_WRITTEN[schema.dates]).fill_null(value=False)
    others = texts.to_frame("date").select(pl.when(~ready).then("date")).to_series()
    numbers = days_of_dates(others, schema.date or "date")
    made = pl.Series("day", numbers).replace(UNKNOWN_DAY, None).cast(pl.Date).to_frame()
    written = {
        "month": pl.col("day").dt.to_string("%Y-%m"),
        "quarter": pl.format("{}-Q{}", pl.col("day").dt.to_string("%Y"), pl.col("day").dt.quarter()),
        "year": pl.col("day").dt.to_string("%Y"),
    }[schema.dates]
    return days.zip_with(ready, made.select(written).to_series()).fill_null("").alias("period")
