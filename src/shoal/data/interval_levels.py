"""Numbers in intervals of growing width."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import polars as pl

from shoal.errors import HierarchyError

from .exact_numbers import exact_numbers
from .plain_number import plain_number
from .reserved_labels import MISSING
from .written_label import half_open_interval

__all__ = ["interval_levels"]


def interval_levels(numbers: pl.Series, widths: Sequence[float | Fraction]) -> list[pl.Series]:
    """Group numbers into half-open intervals of growing width: ``17 → [15, 20) → [10, 20)``.

    A missing number keeps a label of its own.
    """
    exact = _nesting(widths)
    width = exact[0]
    # dividing whole numbers by a whole number is much faster than dividing fractions
    divisor = int(width) if width.denominator == 1 else width
    places = [None if number is None else number // divisor for number in exact_numbers(numbers)]
    levels = []
    for wide in exact:
        ratio = int(wide / width)
        names = {place: _interval(place, wide) for place in {None if at is None else at // ratio for at in places}}
        levels.append(pl.Series([names[None if at is None else at // ratio] for at in places], dtype=pl.String))
    return levels


def _nesting(widths: Sequence[float | Fraction]) -> list[Fraction]:
    if not all(0 < width < float("inf") for width in widths):
        raise HierarchyError("The width of an interval must be positive and finite.")
    exact = [Fraction(str(width)) for width in widths]
    for narrow, wide in pairwise(exact):
        if wide <= narrow or wide % narrow != 0:
            raise HierarchyError(
                "The widths of interval levels do not nest.", "Let each width be a multiple of the one before it."
            )
    return exact


def _interval(place: int | None, width: Fraction) -> str:
    return (
        MISSING if place is None else half_open_interval(plain_number(place * width), plain_number((place + 1) * width))
    )
