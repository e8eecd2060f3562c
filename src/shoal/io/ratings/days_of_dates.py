"""Dates as they are written in files of ratings, as days."""

import numpy as np
import polars as pl

from shoal.errors import DataError
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY

__all__ = ["days_of_dates"]

_SECONDS_A_DAY = 86_400
_LATEST = 10**11  # seconds: the year 5138; more are milliseconds
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T].*)?$"
_SECONDS = r"^-?[0-9]{1,11}$"
_YEAR_FIRST = r"^(?:19|20)[0-9]{2}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])?)?$"
"""Digits that rather are a year, a month or a day, 20251231, than seconds of the year 1970."""


def days_of_dates(dates: pl.Series, column: str) -> np.ndarray:
    """Return days since 1970: int32, ``UNKNOWN_DAY`` where the field is empty.

    Dates are written as 2025-12-31, with or without a time, or as seconds since 1970. Digits that may as well be a day,
    such as 20251231, are refused.
    """
    if dates.dtype.is_temporal():
        days = dates.cast(pl.Date, strict=False).cast(pl.Int32)
    elif dates.dtype.is_numeric():
        whole = dates.cast(pl.Float64).floor().cast(pl.Int64, strict=False)
        days = _of_texts(whole.cast(pl.String))
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
    seconds = pl.when(text.str.contains(_SECONDS) & ~text.str.contains(_YEAR_FIRST)).then(text).cast(pl.Int64)
    read = texts.to_frame().select(date=date.cast(pl.Int32), seconds=seconds)
    return (
        read.with_columns(_of_seconds(read["seconds"]).alias("seconds"))
        .select(pl.coalesce("date", "seconds"))
        .to_series()
    )


def _of_seconds(seconds: pl.Series) -> pl.Series:
    in_time = pl.when(pl.first().is_between(-_LATEST, _LATEST)).then(pl.first())
    return seconds.to_frame().select((in_time // _SECONDS_A_DAY).cast(pl.Int32)).to_series()
