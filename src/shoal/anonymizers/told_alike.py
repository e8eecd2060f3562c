"""One value for all records of a group."""

from fractions import Fraction

import numpy as np
import polars as pl

from shoal.data import Column, Vocabulary

from .by_group import by_group

__all__ = ["told_alike"]

_EXACT = 2**53
"""Beyond it not every whole number is a double."""


def told_alike(column: Column, labels: np.ndarray) -> Column:
    """Give the column in which every record has what stands for its group 0, 1, …

    For numbers that is the mean and for dates the mean day, of those that are there: missing where most are missing.
    Means of whole numbers and of dates are exact but for one rounding, to the nearest double or, of dates and in a
    column that has whole numbers beyond 2⁵³, to the nearest whole number, the even one of two.
    Where ``categories`` declare an order it is the median, the lower of two. Otherwise it is the most common value, of
    several the first in the order of the vocabulary.
    """
    if column.vocabulary.is_ordered:
        return _by_mean(column, labels)
    ranks = column.rank_of
    stand_ins = _modes(column.codes, labels) if ranks is None else _medians(column.codes, ranks, labels)
    return column.recoded(column.vocabulary, stand_ins[labels])


def _by_mean(column: Column, labels: np.ndarray) -> Column:
    values = column.vocabulary.values
    order, begins = by_group(labels)
    if values.dtype.is_integer() or values.dtype.is_temporal():
        means, present = _whole_means(values, column.codes[order], begins)
    else:
        numbers = column.vocabulary.numbers[column.codes]
        # sorted within the group, so that the last digit does not depend on the order of records
        numbers = numbers[order[np.lexsort([numbers[order], labels[order]])]]
        means, present = _means(numbers, begins)
        means = pl.Series(means)
    mostly_there = pl.Series(2 * present >= np.diff(begins)) & pl.Series(present > 0)
    vocabulary, codes = Vocabulary.encode(pl.select(pl.when(mostly_there).then(means).otherwise(None)).to_series())
    return column.recoded(vocabulary, codes[labels])


def _whole_means(values: pl.Series, codes: np.ndarray, begins: np.ndarray) -> tuple[pl.Series, np.ndarray]:
    """Give the mean of the whole numbers or dates that are there in each stretch, and how many they are."""
    whole = values.to_physical().cast(pl.Int64)
    there = whole.is_not_null().to_numpy()
    known = whole.fill_null(0).to_numpy()
    firsts = begins[:-1]
    present = np.add.reduceat(there[codes], firsts, dtype=np.int64)
    # the upper and the lower half of each number, neither of which has too large a sum
    upper, lower = (np.add.reduceat(half[codes], firsts) for half in (known >> 32, known & 0xFFFFFFFF))
    sums = zip(upper.tolist(), lower.tolist(), np.maximum(present, 1).tolist(), strict=True)
    means = [Fraction((high << 32) + low, number) for high, low, number in sums]
    if values.dtype.is_numeric() and known.min(initial=0) >= -_EXACT and known.max(initial=0) <= _EXACT:
        return pl.Series([float(mean) for mean in means], dtype=pl.Float64), present
    rounded = pl.Series([round(mean) for mean in means], dtype=pl.Int64)
    return rounded.cast(values.to_physical().dtype).cast(values.dtype), present


def _means(numbers: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the mean of the numbers that are there in each stretch, ascending with NaN last, and how many they are."""
    firsts, there = begins[:-1], ~np.isnan(numbers)
    present = np.add.reduceat(there, firsts, dtype=np.int64)
    known = np.where(there, numbers, 0.0)
    # in powers of two, which round nothing: the sum of the largest numbers would be none
    powers = np.frexp(np.maximum.reduceat(np.abs(known), firsts))[1]
    sums = np.add.reduceat(np.ldexp(known, -np.repeat(powers, np.diff(begins))), firsts)
    means = np.ldexp(sums / np.maximum(present, 1), powers)
    # rounding must not lead past the lowest and the highest: ten times 0.1 is 0.1 on average
    means = np.clip(means, known[firsts], known[firsts + np.maximum(present - 1, 0)])
    return means + 0.0, present  # of two zeros the one without a sign


def _medians(codes: np.ndarray, ranks: np.ndarray, labels: np.ndarray) -> np.ndarray:
    order = np.lexsort([codes, ranks[codes], labels])
    begins = np.searchsorted(labels[order], np.arange(labels.max() + 2))
    return codes[order[(begins[:-1] + begins[1:] - 1) // 2]]


def _modes(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    n_values = int(codes.max()) + 1
    pairs, counts = np.unique(labels * n_values + codes, return_counts=True)
    groups, values = np.divmod(pairs, n_values)
    best = np.lexsort([values, -counts, groups])
    return values[best[np.searchsorted(groups, np.arange(labels.max() + 1))]]
