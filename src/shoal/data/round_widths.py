"""Widths of intervals that people find round."""

from fractions import Fraction

import polars as pl

from .exact_numbers import exact_numbers

__all__ = ["round_widths"]

_MOST_PARTS = 20


def round_widths(numbers: pl.Series) -> list[Fraction]:
    """Give three widths, each twice the one before, that divide the range of numbers into about 20, 10 and 5 parts.

    The narrowest is 1, 2 or 5 times a power of ten; of whole numbers, at least 1.
    """
    given = exact_numbers(numbers.drop_nulls().sort())
    least = Fraction(given[-1] - given[0]) / _MOST_PARTS if given else Fraction(0)  # type: ignore[operator]
    if least == 0:
        return [Fraction(1), Fraction(2), Fraction(4)]
    power = Fraction(10) ** _magnitude(least)
    base = next(times * power for times in (1, 2, 5, 10) if times * power >= least)
    if numbers.dtype.is_integer():
        base = max(base, Fraction(1))
    return [base, 2 * base, 4 * base]


def _magnitude(number: Fraction) -> int:
    """Give the highest power of ten that is not above a positive number, whatever its size."""
    power = len(str(number.numerator)) - len(str(number.denominator))
    return power if Fraction(10) ** power <= number else power - 1
