"""Cells changed: how many published cells do not tell the original value."""

import numpy as np
import polars as pl

from shoal.data import Column

from .comparison import Comparison
from .measure import measure

__all__ = ["cells_changed"]


@measure("cells changed", unit="cells")
def cells_changed(comparison: Comparison) -> int:
    """Count the ratings moved (invented and dropped ones are counted apart), or the quasi-identifier cells recoded."""
    if comparison.ratings is not None:
        return comparison.ratings.changed
    return sum(_changed(before, after) for before, after in comparison.columns)


def _changed(before: Column, after: Column) -> int:
    if before.vocabulary is after.vocabulary:
        return int(np.count_nonzero(before.codes != after.codes))
    unequal = before.values.cast(pl.String).ne_missing(after.values.cast(pl.String))
    return int(unequal.sum())
