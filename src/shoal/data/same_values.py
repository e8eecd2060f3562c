"""Which values of two vocabularies are the same, though they are written otherwise."""

import re
from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np
import polars as pl

from shoal.errors import HierarchyError

from .time_span import as_dates, time_span
from .vocabulary import Vocabulary

__all__ = ["exact_number", "exact_numbers", "same_values", "type_to_declare"]


_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
"""A leading zero makes a code; and no exponent may make a number of a million digits of a word."""


def exact_number(word: str | None) -> Fraction | None:
    """Return the number that is written, exactly; None where it is none."""
    return Fraction(word) if word is not None and _NUMBER.fullmatch(word) else None


def exact_numbers(numbers: pl.Series) -> list[int | Fraction | None]:
    """Return numbers exactly as decimals write them, because with doubles 0.3 would come to lie in [0.2, 0.3)."""
    if not numbers.dtype.is_numeric():
        raise HierarchyError("Intervals need a column of numbers.", type_to_declare(numbers, dates=False))
    if numbers.dtype.is_integer():
        return numbers.to_list()
    if numbers.dtype.is_float() and not numbers.drop_nulls().is_finite().all():
        raise HierarchyError("Intervals need finite numbers.", "Leave missing values empty.")
    return [None if number is None else Fraction(str(number)) for number in numbers]


def same_values(known: Vocabulary, asked: Vocabulary) -> np.ndarray:
    """Return the place of each value that is asked for among the known ones, as int32; −1 where it is not known.

    Values are the same if they are written the same. Where one side holds numbers, 30 and 30.0 are the same; where one
    holds times, so are all ways to write a time. Of several known values that mean the same, the first is taken.
    """
    words, others = known.words, asked.words
    rows = Vocabulary(words).codes(others)
    meaning = _meaning(known, asked)
    if meaning is None or (rows >= 0).all():
        return rows
    rows, first = rows.copy(), {}
    for row, word in enumerate(words):
        if word is not None and (meant := meaning(word)) is not None:
            first.setdefault(meant, row)
    for place in np.flatnonzero((rows < 0) & others.is_not_null().to_numpy()).tolist():
        rows[place] = first.get(meaning(others[place]), -1)
    return rows


def _meaning(known: Vocabulary, asked: Vocabulary) -> Callable[[str], Hashable | None] | None:
    """Return how words are to be understood; None where they are nothing but words."""
    if known.is_numeric or asked.is_numeric:
        return exact_number
    return _time if known.is_ordered or asked.is_ordered else None


def _time(word: str) -> tuple[int, int] | None:
    """Return the same for the same time to the second, with zeros after it or not."""
    span = time_span(word)
    return None if span is None else (span[0], max(span[1] - span[0], _SECOND))


_SECOND = 1_000_000


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
