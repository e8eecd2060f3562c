"""Information loss of a published table: generalized values and withheld records."""

import numpy as np

from shoal.data import Microdata
from shoal.labels import PublishedColumn, published_column

__all__ = ["label_losses", "published_loss"]


def label_losses(column: PublishedColumn) -> np.ndarray:
    """Return, by label, the share of the other leaves of the column that it stands for as well."""
    return (column.leaves - 1) / _other_leaves(column)


def published_loss(table: Microdata, published: Microdata, rows: np.ndarray) -> float:
    """Return the loss summed over records and quasi-identifiers, as the measure loss-mean defines it.

    ``published`` has these ``rows`` of the table. A withheld record loses 1 in every quasi-identifier.
    """
    columns = table.quasi_identifiers
    withheld = (len(table) - len(rows)) * len(columns)
    read = (published_column(column, published[column.name], rows) for column in columns)
    # whole numbers are added up before they are divided: what loses the same is found to lose the same
    return withheld + sum(float(column.counts @ (column.leaves - 1)) / _other_leaves(column) for column in read)


def _other_leaves(column: PublishedColumn) -> int:
    return max(column.n_leaves - 1, 1)
