"""A table in which each quasi-identifier is generalized to a level."""

from collections.abc import Sequence

import numpy as np

from shoal.data import Role

from .labeled_table import LabeledTable, Labeling, same_values
from .lattice import hierarchies_of
from .table import PartitionedTable

__all__ = ["generalized"]


def generalized(table: PartitionedTable, node: Sequence[int]) -> LabeledTable:
    """Return the table at a node of its lattice: the level of each quasi-identifier."""
    levels = iter(zip(hierarchies_of(table), node, strict=True))
    labels, by_value = [], []
    for column in table.columns:
        if column.role is Role.QUASI_IDENTIFIER:
            hierarchy, level = next(levels)
            labels.append(hierarchy.labels[level])
            by_value.append(np.asarray(hierarchy.maps[level]))
        else:
            labels.append(column.vocabulary)
            by_value.append(np.arange(len(column.vocabulary)))
    same = map(same_values, table.columns, labels)
    return LabeledTable(table, tuple(labels), Labeling(tuple(by_value), tuple(same)))
