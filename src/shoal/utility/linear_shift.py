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


@measure("correlation shift", unit="correlation", quick=False)
def correlation_shift(comparison: Comparison) -> float:
    """Give how far the correlation of two columns of numbers moved, on average over pairs."""
    numbers = _pairs(comparison)
    return _mean_shift(_correlations(numbers.spread_before), _correlations(numbers.spread_after))


@measure("regression shift", unit="standard deviations per standard deviation", quick=False)
def regression_shift(comparison: Comparison) -> float:
    """Give how far the slope of one column of numbers on another moved, on average over ordered pairs."""
    numbers = _pairs(comparison)
    return _mean_shift(_slopes(numbers.spread_before), _slopes(numbers.spread_after))


def _pairs(comparison: Comparison) -> ToldNumbers:
    numbers = comparison.once(told_numbers)
    if numbers.before.shape[1] < 2:
        raise Unmeasurable("there are no two quasi-identifiers that are numbers before and after")
    return numbers


def _correlations(spread: np.ndarray) -> np.ndarray:
    variances = np.diag(spread)
    scale = np.sqrt(np.outer(variances, variances))
    return np.divide(spread, scale, out=np.zeros_like(spread), where=scale > 0)


def _slopes(spread: np.ndarray) -> np.ndarray:
    variances = np.broadcast_to(np.diag(spread), spread.shape)
    return np.divide(spread, variances, out=np.zeros_like(spread), where=variances > 0)


def _mean_shift(before: np.ndarray, after: np.ndarray) -> float:
    apart = ~np.eye(len(before), dtype=bool)
    return float(np.abs(after - before)[apart].mean())
