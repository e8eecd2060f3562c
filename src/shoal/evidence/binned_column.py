"""The codes of a column, with many numbers or days put into a few bins."""

import numpy as np

from shoal.data import Column

from .binning import BINS, BinKind, bins_of_distinct

__all__ = ["binned_column"]


def binned_column(column: Column, bins: int = BINS, kind: BinKind = "equal-frequency") -> np.ndarray:
    """Give a whole number for each record: the bin of a number or day, the code of anything else.

    Numbers and days with no more than ``bins`` different values are not put together. A missing one is a value of its
    own.
    """
    if not column.vocabulary.is_ordered or len(column.vocabulary) <= bins:
        return column.codes
    numbers = column.vocabulary.numbers
    counts = column.counts
    used = np.flatnonzero(counts)
    used = used[np.argsort(numbers[used], kind="stable")]  # NaN last
    bin_of = np.zeros(len(numbers), np.int64)
    bin_of[used] = bins_of_distinct(numbers[used], counts[used], bins, kind)
    return bin_of[column.codes]
