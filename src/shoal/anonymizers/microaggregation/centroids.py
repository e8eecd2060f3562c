"""The centroid of a group: the value that stands for all its records in one column."""

from fractions import Fraction

import numpy as np
import polars as pl

from shoal.anonymizers.grouping import group_offsets
from shoal.data import Column, Vocabulary

__all__ = ["group_centroids"]

_EXACT = 2**53
"""Beyond it not every integer is a double."""


def group_centroids(column: Column, labels: np.ndarray) -> Column:
    """Return the column in which every record has the centroid of its group 0, 1, …

    For numbers that is the mean and for dates the mean day of the values present; missing where most are missing. Means
    of integers and of dates are exact up to one rounding, to the nearest double or, for dates and in a column with
    integers beyond 2⁵³, to the nearest integer, ties to even. Where ``categories`` declare an order it is the lower
    median. Otherwise it is the most common value, of several the first in the order of the vocabulary.
    """
    if column.vocabulary.is_ordered:
        return _by_mean(column, labels)
    ranks = column.rank_of
    centroids = _modes(column.codes, labels) if ranks is None else _medians(column.codes, ranks, labels)
    return column.recoded(column.vocabulary, centroids[labels])


def _by_mean(column: Column, labels: np.ndarray) -> Column:
    values = column.vocabulary.values
    order, begins = group_offsets(labels)
    if values.dtype.is_integer() or values.dtype.is_temporal():
        means, present = _whole_means(values, column.codes[order], begins)
    else:
        numbers = column.vocabulary.numbers[column.codes]
        # sorted within the group, so that rounding does not depend on the order of records
        numbers = numbers[order[np.lexsort([numbers[order], labels[order]])]]
        means, present = _means(numbers, begins)
        means = pl.Series(means)
    mostly_there = pl.Series(2 * present >= np.diff(begins)) & pl.Series(present > 0)
    vocabulary, codes = Vocabulary.encode(pl.select(pl.when(mostly_there).then(means).otherwise(None)).to_series())
    return column.recoded(vocabulary, codes[labels])


def _whole_means(values: pl.Series, codes: np.ndarray, begins: np.ndarray) -> tuple[pl.Series, np.ndarray]:
    """Return the mean of the integers or dates present in each segment, and their number."""
    whole = values.to_physical().cast(pl.Int64)
    there = whole.is_not_null().to_numpy()
    known = whole.fill_null(0).to_numpy()
    firsts = begins[:-1]
    present = np.add.reduceat(there[codes], firsts, dtype=np.int64)
    # the upper and the lower half of each number are summed apart, so that neither sum overflows
    upper, lower = (np.add.reduceat(half[codes], firsts) for half in (known >> 32, known & 0xFFFFFFFF))
    sums = zip(upper.tolist(), lower.tolist(), np.maximum(present, 1).tolist(), strict=True)
    means = [Fraction((high << 32) + low, number) for high, low, number in sums]
    if values.dtype.is_numeric() and known.min(initial=0) >= -_EXACT and known.max(initial=0) <= _EXACT:
        return pl.Series([float(mean) for mean in means], dtype=pl.Float64), present
    rounded = pl.Series([round(mean) for mean in means], dtype=pl.Int64)
    return rounded.cast(values.to_physical().dtype).cast(values.dtype), present


def _means(numbers: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of the numbers present in each segment, sorted with NaN last, and their number."""
    firsts, there = begins[:-1], ~np.isnan(numbers)
    present = np.add.reduceat(there, firsts, dtype=np.int64)
    known = np.where(there, numbers, 0.0)
    # scaled by powers of two, which rounds nothing: the sum of the largest doubles would overflow
    powers = np.frexp(np.maximum.reduceat(np.abs(known), firsts))[1]
    sums = np.add.reduceat(np.ldexp(known, -np.repeat(powers, np.diff(begins))), firsts)
    means = np.ldexp(sums / np.maximum(present, 1), powers)
    # rounding must not lead past the lowest and the highest value: the mean of ten times 0.1 is 0.1
    means = np.clip(means, known[firsts], known[firsts + np.maximum(present - 1, 0)])
    return means + 0.0, present  # −0 becomes 0


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
