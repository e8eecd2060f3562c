"""What is lost of a table by telling some of its records less exactly and leaving out the others."""

import numpy as np

from shoal.data import Microdata
from shoal.labels import PublishedColumn, published_column

__all__ = ["label_losses", "published_loss"]


def label_losses(column: PublishedColumn) -> np.ndarray:
    """Return, by label, the share of the other leaves of the column that it stands for as well."""
    return (column.leaves - 1) / _other_leaves(column)


def published_loss(table: Microdata, published: Microdata, rows: np.ndarray) -> float:
    """Return the sum over records and quasi-identifiers of what is lost, as the measure loss-mean counts it.

    ``told`` are these ``rows`` of the table. A record that is left out loses 1 in every quasi-identifier.
    """
    columns = table.quasi_identifiers
    left_out = (len(table) - len(rows)) * len(columns)
    read = (published_column(column, published[column.name], rows) for column in columns)
    # whole numbers are added up before they are divided: what loses the same is found to lose the same
    return left_out + sum(float(column.counts @ (column.leaves - 1)) / _other_leaves(column) for column in read)


def _other_leaves(column: PublishedColumn) -> int:
    return max(column.n_leaves - 1, 1)
