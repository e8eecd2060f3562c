"""Attribute distribution distance: how far the counts of a column's values are off for an analyst of the release.

*Definition.* For a quasi-identifier or a sensitive column, half the sum over its values of the differences between
their shares among all original records and among the published ones, where a label counts in equal parts for each value
it may stand for (total variation). The mean over those columns; :func:`distribution_distances` returns them one by one.
*Unit.* A share of the records.

*Weighted.* The same with shares of the sum of weights: how far estimates for the population are off. The weights of
published records are those of their originals, known to the owner: what is measured is what labels and withholding do
to an estimate, and not what a reader without weights loses.
"""

from collections.abc import Mapping

import numpy as np

from shoal.labels import PublishedColumn
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure
from shoal.utility.published_columns import published_columns

__all__ = ["attribute_distribution_distance", "distance", "distribution_distances", "weighted_distribution_distance"]


@measure("attribute distribution distance", unit="share of the records", place=230, unchanged=0)
def attribute_distribution_distance(comparison: Comparison) -> float:
    """The mean over columns of the total variation distance between original and published counts."""
    distances = distribution_distances(comparison)
    if not distances:
        raise Unmeasurable("There is no quasi-identifier and no sensitive column.")
    return sum(distances.values()) / len(distances)


@measure(
    "weighted attribute distribution distance", unit="share of the population", place=232, unchanged=0, of_samples=True
)
def weighted_distribution_distance(comparison: Comparison) -> float:
    """The mean over columns of the total variation distance between original and published sums of weights."""
    weights = comparison.weights
    if weights is None:
        raise Unmeasurable("There are no weights.")
    columns = comparison.once(published_columns)
    if not columns:
        raise Unmeasurable("There is no quasi-identifier and no sensitive column.")
    return sum(_distance(column, (weights, weights[comparison.origins])) for column in columns.values()) / len(columns)


def distribution_distances(comparison: Comparison) -> Mapping[str, float]:
    """Return the distance of each quasi-identifier, stratum and sensitive column by name."""
    return {name: _distance(column) for name, column in comparison.once(published_columns).items()}


def _distance(column: PublishedColumn, weights: tuple[np.ndarray, np.ndarray] | None = None) -> float:
    """Return the distance of a column; by ``weights`` of the originals and of the published records if given."""
    n_values = len(column.values)
    if weights is None:
        return distance(column, np.bincount(column.before, minlength=n_values), column.counts)
    before = np.bincount(column.before, weights[0], minlength=n_values)
    return distance(column, before, np.bincount(column.labels, weights[1], minlength=len(column.begins)))


def distance(column: PublishedColumn, before: np.ndarray, counts: np.ndarray) -> float:
    """Return the distance of a column, by the numbers of original records of each value and of published ones by label.

    In the place of numbers of records there may be sums of their weights.
    """
    n_values, total, left = len(column.values), before.sum(), counts.sum()
    exact = column.covers == 1  # counted in whole numbers, so that exact values are not off by a rounding error
    after = np.bincount(column.listing[column.begins[exact]], counts[exact], minlength=n_values)
    share = np.where(exact, 0.0, counts / column.covers)
    steps = np.bincount(column.begins, share, minlength=len(column.listing) + 1)
    steps -= np.bincount(column.ends, share, minlength=len(column.listing) + 1)
    after = after + np.bincount(column.listing, np.cumsum(steps[:-1]), minlength=n_values)
    return float(np.abs(before / total - after / left).sum() / 2)
