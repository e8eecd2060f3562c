"""Numeric quasi-identifiers: squared errors, correlations and slopes before and after.

**Squared errors and information loss**: how far published numbers are from the originals.

*Definition.* Over the quasi-identifiers that are numbers before and after, each divided by the standard deviation of
its originals (with n − 1), and over all people: SSE is the sum of squared differences between published and original
numbers, and SST that between original numbers and their mean. A withheld record counts in SSE as much as a record loses
on average where the mean is published for everybody, SST/n in each column: nothing is known of it. The information loss
is 100·SSE/SST. Where a number is missing, before or after, a cell counts in neither. *Unit.* Squared standard
deviations; percent.

*Reference.* Domingo-Ferrer and Mateo-Sanz 2002; thesis eq. 5.1. On z-scores, as the published figures of
microaggregation are.

**Correlation and regression shift**: whether numbers still depend on each other as they did.

*Definition.* Over the pairs of quasi-identifiers that are numbers before and after, among the people published who have
both: the mean absolute difference, before and after, of Pearson's correlation; and, over ordered pairs, of the slope of
the least-squares line of one column on the other, both in standard deviations of the originals. For a column that is
published with one value for everybody, correlation and slope are 0. *Unit.* Correlation; standard deviations per
standard deviation.

*Reference.* Ours, for microaggregation: means of groups keep means and lose spread, so correlations tend to grow.
"""

from dataclasses import dataclass

import numpy as np

from shoal.data import Column, Microdata
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

__all__ = [
    "NumericQuasiIdentifiers",
    "correlation_shift",
    "information_loss",
    "numeric_quasi_identifiers",
    "regression_shift",
    "squared_errors",
    "total_squares",
]


@dataclass(frozen=True, eq=False, repr=False)
class NumericQuasiIdentifiers:
    """Numbers, a column each, in z-scores of all originals, the withheld ones included; NaN where one is missing."""

    before: np.ndarray
    """The originals of the people published."""
    after: np.ndarray
    """As published, by the means and standard deviations of the originals."""
    withheld: np.ndarray
    """The originals of those who are not published."""


def numeric_quasi_identifiers(comparison: Comparison) -> NumericQuasiIdentifiers:
    """Read the columns that are numbers before and after and differ between people before; raise if there is none."""
    if not isinstance(comparison.whole, Microdata):
        raise Unmeasurable("Defined on tables only.")
    withheld = np.ones(len(comparison.whole), bool)
    withheld[comparison.origins] = False
    before, after, left_out = [], [], []
    for original, published in comparison.columns:
        if original.vocabulary.is_numeric and published.vocabulary.is_numeric:
            numbers, shown = _numbers(comparison.whole[original.name]), _numbers(published)
            if np.fmin.reduce(numbers, initial=np.inf) >= np.fmax.reduce(numbers, initial=-np.inf):
                continue
            # by a power of two, which rounds nothing: squares of numbers however large or small are numbers again
            power = np.frexp(np.nanmax(np.abs(numbers)))[1]
            numbers, shown = np.ldexp(numbers, -power), np.ldexp(shown, -power)
            mean, deviation = np.nanmean(numbers), np.nanstd(numbers, ddof=1)
            scores = (numbers - mean) / deviation
            before.append(scores[comparison.origins])
            after.append((shown - mean) / deviation)
            left_out.append(scores[withheld])
    if not before:
        raise Unmeasurable("No quasi-identifier is a number before and after, and differs between people.")
    return NumericQuasiIdentifiers(*(np.stack(each, axis=1) for each in (before, after, left_out)))


def _numbers(column: Column) -> np.ndarray:
    return column.vocabulary.numbers[column.codes]


@measure("sum of squared errors", unit="squared standard deviations", quick=False, place=240, unchanged=0)
def squared_errors(comparison: Comparison) -> float:
    """The sum of squared differences between published and original numbers, in z-scores (SSE)."""
    numbers = comparison.once(numeric_quasi_identifiers)
    n_withheld = np.count_nonzero(~np.isnan(numbers.withheld), axis=0)
    n_all = n_withheld + np.count_nonzero(~np.isnan(numbers.before), axis=0)
    lost = float((n_withheld * (n_all - 1) / n_all).sum())  # the squares of z-scores add up to n − 1
    return float(np.nansum((numbers.after - numbers.before) ** 2)) + lost


@measure("total sum of squares", unit="squared standard deviations", quick=False, place=250)
def total_squares(comparison: Comparison) -> float:
    """The sum of squared differences between original numbers and their means, in z-scores (SST)."""
    numbers = comparison.once(numeric_quasi_identifiers)
    published = np.where(np.isnan(numbers.after), np.nan, numbers.before)
    return float(np.nansum(published**2)) + float(np.nansum(numbers.withheld**2))


@measure("information loss", unit="percent", quick=False, place=260, unchanged=0)
def information_loss(comparison: Comparison) -> float:
    """The squared error of published numbers as a percentage of what publishing the mean alone would cause."""
    total = total_squares(comparison)
    if total <= 0:
        raise Unmeasurable("No number is published that differs from the mean.")
    return 100 * squared_errors(comparison) / total


_ROUNDING = 1e-12
"""A variance that is a smaller share of the squares it is the difference of is nothing but rounding."""


@measure("correlation shift", unit="correlation", quick=False, place=270, unchanged=0)
def correlation_shift(comparison: Comparison) -> float:
    """The mean absolute change of the correlation between two numeric columns."""
    numbers = _pairs(comparison)
    return _mean_shift(_correlations(numbers.before), _correlations(numbers.after))


@measure("regression shift", unit="standard deviations per standard deviation", quick=False, place=280, unchanged=0)
def regression_shift(comparison: Comparison) -> float:
    """The mean absolute change of the regression slope of one numeric column on another."""
    numbers = _pairs(comparison)
    return _mean_shift(_slopes(numbers.before), _slopes(numbers.after))


def _pairs(comparison: Comparison) -> NumericQuasiIdentifiers:
    numbers = comparison.once(numeric_quasi_identifiers)
    if numbers.before.shape[1] < 2:
        raise Unmeasurable("There are no two quasi-identifiers that are numbers before and after.")
    return numbers


def _correlations(numbers: np.ndarray) -> np.ndarray:
    products, squares = _spread(numbers)
    scale = np.sqrt(squares * squares.T)
    return np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)


def _slopes(numbers: np.ndarray) -> np.ndarray:
    """Return for each pair the slope of the column of the row on the column of the column."""
    products, squares = _spread(numbers)
    return np.divide(products, squares.T, out=np.zeros_like(products), where=squares.T > 0)


def _spread(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for every pair, over people who have both, Σ(x − x̄)(y − ȳ) and Σ(x − x̄)²; x is the column of the row."""
    there = (~np.isnan(numbers)).astype(np.float64)
    # centered, or small differences would drown in rounding
    middle = np.nan_to_num(np.nansum(numbers, axis=0) / np.maximum(there.sum(axis=0), 1))
    filled = np.where(there > 0, numbers - middle, 0.0)
    n, sums = np.maximum(there.T @ there, 1), filled.T @ there
    raw = (filled**2).T @ there
    squares = raw - sums**2 / n
    return filled.T @ filled - sums * sums.T / n, np.where(squares > _ROUNDING * raw, squares, 0.0)


def _mean_shift(before: np.ndarray, after: np.ndarray) -> float:
    apart = ~np.eye(len(before), dtype=bool)
    return float(np.abs(after - before)[apart].mean())
