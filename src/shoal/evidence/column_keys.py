"""The key attributes among columns of a table."""

from collections.abc import Sequence

from shoal.data import Column

from .binned_column import binned_column
from .binning import BINS
from .key_attributes import key_attributes
from .spanning_tree import spanning_tree
from .variation_matrix import variation_matrix

__all__ = ["column_keys"]


def column_keys(columns: Sequence[Column], bins: int = BINS) -> tuple[int, ...]:
    """Give the places of the columns that hold the others together, numbers being told by bins of equal frequency."""
    matrix = variation_matrix([binned_column(column, bins) for column in columns])
    return key_attributes(spanning_tree(matrix), len(columns))
