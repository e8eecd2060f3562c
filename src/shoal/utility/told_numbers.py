"""Quasi-identifiers that are numbers before and after."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import Column

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["ToldNumbers", "told_numbers"]


@dataclass(frozen=True, eq=False, repr=False)
class ToldNumbers:
    """Numbers of the people published, a column each, in z-scores of the originals; NaN where one is missing."""

    before: np.ndarray
    after: np.ndarray
    """As published, by the means and standard deviations of the originals."""

    @property
    def spread_before(self) -> np.ndarray:
        """The covariances of the columns before: their correlations."""
        return _covariances(self.before)

    @property
    def spread_after(self) -> np.ndarray:
        """The covariances of the columns after."""
        return _covariances(self.after)


def told_numbers(comparison: Comparison) -> ToldNumbers:
    """Read the columns that are numbers before and after and differ between people before; raise if there is none."""
    before, after = [], []
    for original, published in comparison.columns:
        if original.vocabulary.is_numeric and published.vocabulary.is_numeric:
            numbers = _numbers(original)
            deviation = np.nanstd(numbers, ddof=1) if np.count_nonzero(~np.isnan(numbers)) > 1 else 0.0
            if deviation > 0:
                mean = np.nanmean(numbers)
                before.append((numbers - mean) / deviation)
                after.append((_numbers(published) - mean) / deviation)
    if not before:
        raise Unmeasurable("no quasi-identifier is a number before and after, and differs between people")
    return ToldNumbers(np.stack(before, axis=1), np.stack(after, axis=1))


def _numbers(column: Column) -> np.ndarray:
    return column.vocabulary.values.cast(pl.Float64).fill_null(np.nan).to_numpy()[column.codes]


def _covariances(numbers: np.ndarray) -> np.ndarray:
    """Give the covariance of every pair of columns over the people who have both, with n − 1; 0 where too few have."""
    there = ~np.isnan(numbers)
    filled = np.where(there, numbers, 0.0)
    both = there.astype(np.float64)
    n = both.T @ both
    sums = filled.T @ both
    products = filled.T @ filled - sums * sums.T / np.maximum(n, 1)
    return np.where(n > 1, products / np.maximum(n - 1, 1), 0.0)
