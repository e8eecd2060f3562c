"""Correlation and regression shift: whether numbers still go together as they did.

*Definition.* Over the pairs of quasi-identifiers that are numbers before and after, among the people published who have
both: the mean absolute difference, before and after, of Pearson's correlation; and, over ordered pairs, of the slope of
the least-squares line of one column on the other, both in standard deviations of the originals. Of a column in which
all are published alike, correlation and slope are 0. *Unit.* Correlation; standard deviations per standard deviation.

*Reference.* Ours, for microaggregation: means of groups keep means and lose spread, so correlations tend to grow.
"""

import numpy as np

from .comparison import Comparison
from .measure import Unmeasurable, measure
from .told_numbers import ToldNumbers, told_numbers

__all__ = ["correlation_shift", "regression_shift"]


_ROUNDING = 1e-12
"""A variance that is a smaller share of the squares it is the difference of is nothing but rounding."""


@measure("correlation shift", unit="correlation", quick=False)
def correlation_shift(comparison: Comparison) -> float:
    """Give how far the correlation of two columns of numbers moved, on average over pairs."""
    numbers = _pairs(comparison)
    return _mean_shift(_correlations(numbers.before), _correlations(numbers.after))


@measure("regression shift", unit="standard deviations per standard deviation", quick=False)
def regression_shift(comparison: Comparison) -> float:
    """Give how far the slope of one column of numbers on another moved, on average over ordered pairs."""
    numbers = _pairs(comparison)
    return _mean_shift(_slopes(numbers.before), _slopes(numbers.after))


def _pairs(comparison: Comparison) -> ToldNumbers:
    numbers = comparison.once(told_numbers)
    if numbers.before.shape[1] < 2:
        raise Unmeasurable("There are no two quasi-identifiers that are numbers before and after.")
    return numbers


def _correlations(numbers: np.ndarray) -> np.ndarray:
    products, squares = _spread(numbers)
    scale = np.sqrt(squares * squares.T)
    return np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)


def _slopes(numbers: np.ndarray) -> np.ndarray:
    """Give the slope of the column of a row on that of a column."""
    products, squares = _spread(numbers)
    return np.divide(products, squares.T, out=np.zeros_like(products), where=squares.T > 0)


def _spread(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give for every pair, over the people who have both, Σ(x − x̄)(y − ȳ) and Σ(x − x̄)², x being that of the row."""
    there = (~np.isnan(numbers)).astype(np.float64)
    # about the middle, or what differs would drown in rounding
    middle = np.nan_to_num(np.nansum(numbers, axis=0) / np.maximum(there.sum(axis=0), 1))
    filled = np.where(there > 0, numbers - middle, 0.0)
    n, sums = np.maximum(there.T @ there, 1), filled.T @ there
    raw = (filled**2).T @ there
    squares = raw - sums**2 / n
    return filled.T @ filled - sums * sums.T / n, np.where(squares > _ROUNDING * raw, squares, 0.0)


def _mean_shift(before: np.ndarray, after: np.ndarray) -> float:
    apart = ~np.eye(len(before), dtype=bool)
    return float(np.abs(after - before)[apart].mean())
