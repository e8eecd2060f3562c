"""What the labels of a table lose."""

import numpy as np

from shoal.data import Microdata
from shoal.labels import told_column

__all__ = ["label_loss"]


def label_loss(original: Microdata, told: Microdata, origins: np.ndarray) -> float:
    """Return the mean over all quasi-identifier cells of the share of the other leaves that a label stands for as well.

    Record i of what is told was record ``origins[i]``; a cell of a record that is withheld is lost whole.
    """
    columns = original.quasi_identifiers
    if not columns or not len(original):
        return 0.0
    lost = (len(original) - len(told)) * float(len(columns))
    for column in columns:
        read = told_column(column, told[column.name], origins)
        lost += float(read.counts @ (read.leaves - 1)) / max(read.n_leaves - 1, 1)
    return lost / (len(original) * len(columns))
