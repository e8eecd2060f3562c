"""The span of time that a written day, month, quarter, year or decade covers."""

import re
from datetime import datetime, timedelta
from typing import Final

import polars as pl

from shoal.errors import HierarchyError

from .written_label import MISSING

__all__ = ["DAY", "as_dates", "date_levels", "time_span"]


DAY: Final = 86_400_000_000
"""In microseconds."""
_EPOCH: Final = datetime(1970, 1, 1)  # no time here has a zone
_DAY: Final = r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
_CLOCK: Final = r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d{1,9}))?)?"
_FORMS: Final = tuple(
    re.compile(form, re.ASCII)
    for form in (
        rf"{_DAY}(?:[T ]{_CLOCK}Z?)?",
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)",
        r"(?P<year>\d{4})-(?P<month>\d\d)",
        r"(?P<year>\d{4})-Q(?P<quarter>[1-4])",
        r"(?P<year>\d{4})",
        r"(?P<decade>\d{3}0)s",
    )
)


def time_span(text: str) -> tuple[int, int] | None:
    """Return the first and the last microsecond, from 1970 on, of what is written; None where it is no time.

    Read are days and times as ISO 8601 writes them, with a space for the T or not, to the second or to the minute, and
    what :mod:`.date_levels` writes: ``2024-03``, ``2024-Q1``, ``2024`` and ``2020s``. What is written to the second may
    be any time within it.
    """
    if not text[:3].isdigit():  # most words
        return None
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is not None:
            return _span({name: part for name, part in found.groupdict().items() if part is not None})
    return None


def _span(parts: dict[str, str]) -> tuple[int, int] | None:
    """Return the span of a time given by its parts; None where the calendar does not have it."""
    number = {name: int(part) for name, part in parts.items() if name != "fraction"}
    year = number.get("decade", number.get("year", 0))
    months = (
        (year * 12 + 3 * number.get("quarter", 1) - 3) if "month" not in number else year * 12 + number["month"] - 1
    )
    if not 1 <= number.get("month", 1) <= 12:
        return None
    try:
        begin = _first_of(months).replace(day=number.get("day", 1))
        begin += timedelta(hours=number.get("hour", 0), minutes=number.get("minute", 0))
    except (ValueError, OverflowError):
        return None
    if number.get("hour", 0) > 23 or number.get("minute", 0) > 59 or number.get("second", 0) > 59:
        return None
    first = (
        _microseconds(begin) + number.get("second", 0) * 1_000_000 + int(parts.get("fraction", "0").ljust(6, "0")[:6])
    )
    lasts = _length(number, months, digits=len(parts.get("fraction", "")))
    return None if lasts is None else (first, first + lasts - 1)


def _length(number: dict[str, int], months: int, *, digits: int) -> int | None:
    """Return for how many microseconds it lasts."""
    if "second" in number:
        return 10 ** max(6 - digits, 0)
    if "minute" in number:
        return 60_000_000
    if "day" in number:
        return DAY
    several = 1 if "month" in number else 3 if "quarter" in number else 12 if "year" in number else 120
    try:
        return _microseconds(_first_of(months + several)) - _microseconds(_first_of(months))
    except ValueError:
        return None


def _first_of(months: int) -> datetime:
    return datetime(months // 12, months % 12 + 1, 1)


def _microseconds(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(microseconds=1)


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
    """Return values as days or times; None where they are neither."""
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
