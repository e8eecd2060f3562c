"""Days in months, quarters, years and decades."""

import polars as pl

from shoal.errors import HierarchyError

from .reserved_labels import MISSING

__all__ = ["as_dates", "date_levels"]


def date_levels(values: pl.Series) -> list[pl.Series]:
    """Tell days by month, quarter, year and decade, and times by day before: ``2024-03-05 → 2024-03 → … → 2020s``.

    Text is taken if it is written as days or times are. A missing day keeps a label of its own.
    """
    dates = as_dates(values)
    if dates is None:
        raise HierarchyError(
            "A hierarchy of dates needs a column of dates such as 2025-12-31.", "Use a mask or a file for this column."
        )
    year, month = dates.dt.year(), _two_digits(dates.dt.month())
    named = _four_digits(year)
    levels = [
        named + "-" + month,
        named + "-Q" + dates.dt.quarter().cast(pl.String),
        named,
        _four_digits(year // 10 * 10) + "s",
    ]
    if isinstance(dates.dtype, pl.Datetime):
        levels.insert(0, named + "-" + month + "-" + _two_digits(dates.dt.day()))
    return [level.fill_null(MISSING) for level in levels]


def as_dates(values: pl.Series) -> pl.Series | None:
    """Give values as days or times; None where they are neither."""
    if values.dtype == pl.Date or isinstance(values.dtype, pl.Datetime):
        return values
    if values.dtype != pl.String:
        return None
    days = values.str.to_date("%Y-%m-%d", strict=False)
    if days.null_count() == values.null_count():
        return days
    times = values.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False)
    return times if times.null_count() == values.null_count() else None


def _two_digits(numbers: pl.Series) -> pl.Series:
    return numbers.cast(pl.String).str.zfill(2)


def _four_digits(years: pl.Series) -> pl.Series:
    return years.cast(pl.String).str.zfill(4)
