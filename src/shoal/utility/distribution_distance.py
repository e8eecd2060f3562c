"""Attribute distribution distance: how far the counts of a column's values are off, as an analyst would find them.

*Definition.* For a quasi-identifier or a sensitive column, half the sum over its values of the differences between
the shares they have among all original records and among the published ones, where a label counts in equal parts for
each value it may stand for (total variation). The mean over those columns; :func:`distribution_distances` gives them
one by one. *Unit.* A share of the records.
"""

from collections.abc import Mapping

import numpy as np

from shoal.labels import ToldColumn

from .comparison import Comparison
from .measure import Unmeasurable, measure
from .told_columns import told_columns

__all__ = ["attribute_distribution_distance", "distribution_distances"]


@measure("attribute distribution distance", unit="share of the records")
def attribute_distribution_distance(comparison: Comparison) -> float:
    """Give the mean over columns of the share of records that would have to be moved to make the counts right."""
    distances = distribution_distances(comparison)
    if not distances:
        raise Unmeasurable("There is no quasi-identifier and no sensitive column.")
    return sum(distances.values()) / len(distances)


def distribution_distances(comparison: Comparison) -> Mapping[str, float]:
    """Give the distance of each quasi-identifier and sensitive column by name."""
    return {name: _distance(column) for name, column in comparison.once(told_columns).items()}


def _distance(column: ToldColumn) -> float:
    n_values = len(column.values)
    before = np.bincount(column.before, minlength=n_values) / len(column.before)
    exact = column.covers == 1  # counted in whole numbers, so that what is told exactly is not off by a rounding
    after = np.bincount(column.listing[column.begins[exact]], column.counts[exact], minlength=n_values)
    share = np.where(exact, 0.0, column.counts / column.covers)
    steps = np.bincount(column.begins, share, minlength=len(column.listing) + 1)
    steps -= np.bincount(column.ends, share, minlength=len(column.listing) + 1)
    after = after + np.bincount(column.listing, np.cumsum(steps[:-1]), minlength=n_values)
    return float(np.abs(before - after / len(column.labels)).sum() / 2)
