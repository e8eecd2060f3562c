"""Normalised certainty penalty: how wide published labels are, by the range of numbers and the count of words.

*Definition.* A label of a column of numbers or dates costs its range, the highest less the lowest value it may stand
for, divided by the range of the column. A label of any other column that stands for n > 1 of N leaves costs n/N, and
one leaf costs nothing. Where a label may stand for a missing value and for others, leaves are counted in a column of
numbers too. A withheld record costs 1 in every column. The mean over all records, then over the quasi-identifiers.
*Unit.* A share.

*Reference.* Xu et al. 2006, without weights; divided by records and attributes as Ghinita et al. 2007 do (they call
it global certainty penalty).
"""

import numpy as np
import polars as pl

from shoal.labels import ToldColumn

from .comparison import Comparison
from .measure import measure
from .told_columns import mean_loss

__all__ = ["certainty_penalty"]


@measure("normalised certainty penalty", unit="share of a column's range")
def certainty_penalty(comparison: Comparison) -> float:
    """Give the mean share of a column's range, or of its leaves, that a cell may be anywhere in."""
    return mean_loss(comparison, _penalty)


def _penalty(column: ToldColumn) -> np.ndarray:
    by_leaves = np.where(column.leaves > 1, column.leaves / column.n_leaves, 0.0)
    kind = column.values.dtype
    if not (kind.is_numeric() or kind.is_temporal()):
        return by_leaves
    numbers = column.values.to_physical().cast(pl.Float64)
    missing = numbers.null_count()
    places = numbers.fill_null(0.0).to_numpy()
    with np.errstate(over="ignore"):  # from the lowest double to the highest is farther than a double can be
        span = places[-1] - places[min(missing, len(places) - 1)]
    if not (np.isfinite(span) and span > 0):
        return by_leaves
    ranges = (places[column.highest] - places[column.lowest]) / span
    mixed = (column.lowest < missing) & (column.highest >= missing)
    return np.where(column.highest < missing, 0.0, np.where(mixed, by_leaves, ranges))
