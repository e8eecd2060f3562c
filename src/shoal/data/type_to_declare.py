"""The type that text seems to have, to be declared by whoever means it."""

import polars as pl

from .date_levels import as_dates

__all__ = ["type_to_declare"]


def type_to_declare(values: pl.Series, *, dates: bool) -> str:
    """Return what to do about a column of text that should be ordered: a type if all values fit one, else no levels.

    ``dates`` says whether dates would do as well as numbers.
    """
    given = values.drop_nulls()
    if values.dtype == pl.String and len(given):
        if given.cast(pl.Float64, strict=False).is_finite().fill_null(value=False).all():
            return 'All of its values can be read as numbers: say type = "number" if they are.'
        if dates and as_dates(given) is not None:
            return 'All of its values can be read as dates: say type = "date" if they are.'
    return "Use a mask or a file for this column."
