"""Numbers as they are written."""

import re
from fractions import Fraction

import polars as pl

from shoal.errors import HierarchyError

from .type_to_declare import type_to_declare

__all__ = ["exact_number", "exact_numbers"]

_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
"""A leading zero makes a code; and no exponent may make a number of a million digits of a word."""


def exact_number(word: str | None) -> Fraction | None:
    """Return the number that is written, exactly; None where it is none."""
    return Fraction(word) if word is not None and _NUMBER.fullmatch(word) else None


def exact_numbers(numbers: pl.Series) -> list[int | Fraction | None]:
    """Give numbers exactly as decimals write them, because with doubles 0.3 would come to lie in [0.2, 0.3)."""
    if not numbers.dtype.is_numeric():
        raise HierarchyError("Intervals need a column of numbers.", type_to_declare(numbers, dates=False))
    if numbers.dtype.is_integer():
        return numbers.to_list()
    if numbers.dtype.is_float() and not numbers.drop_nulls().is_finite().all():
        raise HierarchyError("Intervals need finite numbers.", "Leave missing values empty.")
    return [None if number is None else Fraction(str(number)) for number in numbers]
