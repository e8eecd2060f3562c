"""Mean shift: how far the mean of a numeric column is off for an analyst of the release.

*Definition.* For each quasi-identifier and sensitive column of numbers, the absolute difference between its mean over
all original records and over the published ones, where a label counts as the mean of the values it may stand for, in
standard deviations of the originals. Missing values do not count, and a label that stands for a missing value only
neither. The mean over those columns. *Unit.* Standard deviations.

*Weighted.* The same with means weighted by the sampling weights of the originals, in weighted standard deviations: the
error of estimated means of the population.
"""

import numpy as np

from shoal.labels import PublishedColumn
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure
from shoal.utility.published_columns import published_columns

__all__ = ["mean_shift", "weighted_mean_shift"]


@measure("mean shift", unit="standard deviations", quick=False, place=285, unchanged=0)
def mean_shift(comparison: Comparison) -> float:
    """The mean over numeric columns of the difference between original and published means."""
    return _mean_shift(comparison, None)


@measure("weighted mean shift", unit="standard deviations", quick=False, place=287, unchanged=0, of_samples=True)
def weighted_mean_shift(comparison: Comparison) -> float:
    """The mean over numeric columns of the difference between original and published weighted means."""
    if comparison.weights is None:
        raise Unmeasurable("There are no weights.")
    return _mean_shift(comparison, comparison.weights)


def _mean_shift(comparison: Comparison, weights: np.ndarray | None) -> float:
    columns = [column for column in comparison.once(published_columns).values() if column.values.dtype.is_numeric()]
    weights = np.ones(len(comparison.whole)) if weights is None else weights
    shifts = [_shift(column, weights, comparison.origins) for column in columns]
    known = [shift for shift in shifts if shift is not None]
    if not known:
        raise Unmeasurable("No column of numbers differs between people and is published.")
    return float(np.mean(known))


def _shift(column: PublishedColumn, weights: np.ndarray, origins: np.ndarray) -> float | None:
    """Return the shift of one column; None where its numbers do not differ or none is published."""
    values = column.values.cast(float).to_numpy()  # missing: NaN
    scale = np.frexp(np.nanmax(np.abs(values), initial=0.0))[1]
    values = np.ldexp(values, -scale)  # squares of numbers however large are numbers again
    before, after = values[column.before], _means_of_labels(column, values)[column.labels]
    there, shown = ~np.isnan(before), ~np.isnan(after)
    if not there.any() or not shown.any():
        return None
    mean = np.average(before[there], weights=weights[there])
    spread = np.sqrt(np.average((before[there] - mean) ** 2, weights=weights[there]))
    if not spread > 0 or before[there].min() == before[there].max():
        return None
    return float(abs(np.average(after[shown], weights=weights[origins][shown]) - mean) / spread)


def _means_of_labels(column: PublishedColumn, values: np.ndarray) -> np.ndarray:
    """Return by label the mean of the numbers it may stand for; NaN where it stands for none."""
    return np.array([_mean(values[column.values_of(label)]) for label in range(len(column.begins))])


def _mean(numbers: np.ndarray) -> float:
    known = numbers[~np.isnan(numbers)]
    return float(known.mean()) if len(known) else np.nan
