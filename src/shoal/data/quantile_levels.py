"""Numbers and days in intervals that hold about as many records each."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from shoal.errors import HierarchyError

from .reserved_labels import MISSING
from .type_to_declare import type_to_declare
from .vocabulary import Vocabulary
from .written_label import interval

__all__ = ["quantile_levels"]

_MOST_PARTS = 1_000_000
"""So many parts times as many records as a machine holds are still whole numbers of 64 bits."""


def quantile_levels(vocabulary: Vocabulary, counts: np.ndarray, parts: Sequence[int]) -> list[pl.Series]:
    """Group values into intervals, from the lowest value to the highest, of about as many records each.

    ``counts`` says how many records have each value. A level has at most so many intervals as ``parts`` says; fewer
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
    """Give twice the rank of the middle record of each value, and twice the number of records."""
    ends = np.cumsum(sizes)
    return 2 * ends - sizes, 2 * int(ends[-1]) if len(ends) else 0


def _places(middles: tuple[np.ndarray, int], parts: int) -> np.ndarray:
    """Give the part each value lies in, in whole numbers, so that parts of one level divide those of the next."""
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
