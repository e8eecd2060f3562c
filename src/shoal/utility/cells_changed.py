"""Cells changed: how many published cells do not tell the original value."""

import numpy as np
import polars as pl

from shoal.data import Column

from .comparison import Comparison
from .measure import measure

__all__ = ["cells_changed", "changed_cells"]


@measure("cells changed", unit="cells")
def cells_changed(comparison: Comparison) -> int:
    """Count the ratings moved (invented and dropped ones are counted apart), or the quasi-identifier cells recoded."""
    if comparison.ratings is not None:
        return comparison.ratings.changed
    return sum(int(np.count_nonzero(changed_cells(before, after))) for before, after in comparison.columns)


def changed_cells(before: Column, after: Column) -> np.ndarray:
    """Return the mask of the cells of a column that do not tell the original value."""
    if before.vocabulary is after.vocabulary:
        return before.codes != after.codes
    return before.values.cast(pl.String).ne_missing(after.values.cast(pl.String)).to_numpy()
