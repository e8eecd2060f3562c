"""Which kind of hierarchy fits values of which nothing is declared."""

from typing import Literal

import polars as pl

from .date_levels import as_dates
from .vocabulary import Vocabulary

__all__ = ["HierarchyKind", "likely_kind"]

HierarchyKind = Literal["interval", "quantile", "mask", "date", "frequency"]


def likely_kind(vocabulary: Vocabulary) -> HierarchyKind:
    """Give intervals for more than two numbers, dates for days, masks for codes of one length, else frequencies."""
    given = vocabulary.values.drop_nulls()
    if vocabulary.is_numeric and len(given) > 2:
        return "interval"
    if len(given) and as_dates(given) is not None:
        return "date"
    return "mask" if _are_codes(given.cast(pl.String)) else "frequency"


def _are_codes(words: pl.Series) -> bool:
    """Tell so of words of one length with a digit in each, in which nothing looks masked already."""
    lengths = words.str.len_chars().unique()
    return len(lengths) == 1 and 2 <= lengths[0] <= 12 and bool(words.str.contains(r"^[^*]*\d[^*]*$").all())
