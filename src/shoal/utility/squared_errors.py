"""Squared errors: how far published numbers are from the originals.

*Definition.* Over the quasi-identifiers that are numbers before and after, each divided by the standard deviation of
its originals (with n − 1), and over all people: SSE is the sum of squared differences of what is published and what
was, and SST the sum of squared differences of what was and its mean. A withheld record counts in SSE what a record
loses on average where all are told by the mean, SST/n in each column: nothing is known of it. The information loss is
100·SSE/SST. Where a number is missing, before or after, a cell counts in neither. *Unit.* Squared standard deviations;
percent.

*Reference.* Domingo-Ferrer and Mateo-Sanz 2002; thesis eq. 5.1. On z-scores, as the published figures of
microaggregation are.
"""

import numpy as np

from .comparison import Comparison
from .measure import Unmeasurable, measure
from .told_numbers import told_numbers

__all__ = ["information_loss", "squared_errors", "total_squares"]


@measure("sum of squared errors", unit="squared standard deviations", quick=False)
def squared_errors(comparison: Comparison) -> float:
    """Give the sum of squared differences of published numbers and the originals, in z-scores."""
    numbers = comparison.once(told_numbers)
    n_withheld = np.count_nonzero(~np.isnan(numbers.withheld), axis=0)
    n_all = n_withheld + np.count_nonzero(~np.isnan(numbers.before), axis=0)
    lost = float((n_withheld * (n_all - 1) / n_all).sum())  # the squares of z-scores add up to n − 1
    return float(np.nansum((numbers.after - numbers.before) ** 2)) + lost


@measure("total sum of squares", unit="squared standard deviations", quick=False)
def total_squares(comparison: Comparison) -> float:
    """Give the sum of squared differences of the original numbers and their means, in z-scores."""
    numbers = comparison.once(told_numbers)
    published = np.where(np.isnan(numbers.after), np.nan, numbers.before)
    return float(np.nansum(published**2)) + float(np.nansum(numbers.withheld**2))


@measure("information loss", unit="percent", quick=False)
def information_loss(comparison: Comparison) -> float:
    """Give the squared error of published numbers as a percentage of what it would be if all had the mean."""
    total = total_squares(comparison)
    if total <= 0:
        raise Unmeasurable("No number is published that differs from the mean.")
    return 100 * squared_errors(comparison) / total
