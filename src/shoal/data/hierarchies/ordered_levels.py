"""Numbers in intervals of growing width."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl

from shoal.data.same_values import exact_numbers, type_to_declare
from shoal.data.vocabulary import Vocabulary
from shoal.data.written_label import MISSING, half_open_interval, interval, plain_number
from shoal.errors import HierarchyError

__all__ = ["interval_levels", "quantile_levels", "round_widths"]


_MOST_PARTS = 1_000_000
"""So many parts times as many records as a machine holds are still whole numbers of 64 bits."""


def quantile_levels(vocabulary: Vocabulary, counts: np.ndarray, parts: Sequence[int]) -> list[pl.Series]:
    """Group values into intervals, from the lowest value to the highest, of about as many records each.

    ``counts`` says how many records have each value. A level has at most as many intervals as ``parts`` says; fewer
    where many records have the same value, which is never split. A missing value keeps a label of its own.
    """
    if not vocabulary.is_ordered:
        hint = type_to_declare(vocabulary.values, dates=True)
        raise HierarchyError("Quantiles need a column of numbers or dates.", hint)
    _refuse_parts(parts)
    values = vocabulary.values
    if values.dtype.is_float() and not values.drop_nulls().is_finite().all():
        raise HierarchyError("Quantiles need finite numbers.", "Leave missing values empty.")
    order = values.arg_sort(nulls_last=True).to_numpy()[: len(values) - values.null_count()].astype(np.int64)
    sizes = np.asarray(counts, np.int64)[order]
    middles = _middles(sizes if sizes.any() else np.ones_like(sizes))
    words = vocabulary.words
    return [_level(words, order, _places(middles, number)) for number in parts]


def _refuse_parts(parts: Sequence[int]) -> None:
    if any(part < 2 for part in parts):
        raise HierarchyError("Quantiles need at least 2 parts a level.")
    if any(part > _MOST_PARTS for part in parts):
        raise HierarchyError(f"Quantiles have at most {_MOST_PARTS:,} parts a level.")
    for many, few in pairwise(parts):
        if few >= many or many % few != 0:
            raise HierarchyError(
                "The parts of quantile levels do not nest.", "Let each number be a multiple of the one after it."
            )


def _middles(sizes: np.ndarray) -> tuple[np.ndarray, int]:
    """Return twice the rank of the middle record of each value, and twice the number of records."""
    ends = np.cumsum(sizes)
    return 2 * ends - sizes, 2 * int(ends[-1]) if len(ends) else 0


def _places(middles: tuple[np.ndarray, int], parts: int) -> np.ndarray:
    """Return the part each value lies in, in whole numbers, so that parts of one level divide those of the next."""
    ranks, total = middles
    return np.minimum(parts * ranks // max(total, 1), parts - 1)


def _level(words: pl.Series, order: np.ndarray, places: np.ndarray) -> pl.Series:
    begins = np.flatnonzero(np.diff(places, prepend=-1))
    ends = np.append(begins[1:], len(order))[: len(begins)]
    lows, highs = words.gather(order[begins]), words.gather(order[ends - 1])
    names = [low if low == high else interval(low, high) for low, high in zip(lows, highs, strict=True)]
    part = np.full(len(words), len(names))
    part[order] = np.repeat(np.arange(len(names)), ends - begins)
    return pl.Series([*names, MISSING], dtype=pl.String).gather(part)


_MOST_WIDTHS = 20


def round_widths(numbers: pl.Series) -> list[Fraction]:
    """Return three widths, each twice the one before, that divide the range of numbers into about 20, 10 and 5 parts.

    The narrowest is 1, 2 or 5 times a power of ten; of whole numbers, at least 1.
    """
    given = exact_numbers(numbers.drop_nulls().sort())
    least = Fraction(given[-1] - given[0]) / _MOST_WIDTHS if given else Fraction(0)  # type: ignore[operator]
    if least == 0:
        return [Fraction(1), Fraction(2), Fraction(4)]
    power = Fraction(10) ** _magnitude(least)
    base = next(times * power for times in (1, 2, 5, 10) if times * power >= least)
    if numbers.dtype.is_integer():
        base = max(base, Fraction(1))
    return [base, 2 * base, 4 * base]


def _magnitude(number: Fraction) -> int:
    """Return the highest power of ten that is not above a positive number, whatever its size."""
    power = len(str(number.numerator)) - len(str(number.denominator))
    return power if Fraction(10) ** power <= number else power - 1


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
