"""Demographics under labels of groups in place of those of whole classes."""

import numpy as np

from shoal.anonymizers.generalization.cuts import Segments, attribute
from shoal.anonymizers.grouping import group_offsets
from shoal.data import Column, Microdata
from shoal.labels import published_column

__all__ = ["narrower_labels", "uses_hierarchy"]


def narrower_labels(table: Microdata, published: Microdata, groups: np.ndarray) -> Microdata:
    """Return the table with each group under labels of its own, column by column where those lose less.

    Ranges end where those of a class would, rounded outward, so that their ends need not occur in the group. Where the
    published labels of a column are those of its hierarchy, labels of groups are so too.
    """
    segments = Segments(*group_offsets(groups))
    columns = []
    for column in table.quasi_identifiers:
        of_class = published[column.name]
        own = attribute(column, by_hierarchy=uses_hierarchy(column, of_class))
        narrower = own.recoded(segments, own.widened(own.extents(segments)))
        columns.append(min((of_class, narrower), key=lambda labeled: _leaves(column, labeled)))
    return published.replaced(tuple(columns))


def uses_hierarchy(column: Column, published: Column) -> bool:
    """Decide whether a column is labeled by its hierarchy, and not by ranges."""
    if column.hierarchy is None or not column.vocabulary.is_ordered:
        return column.hierarchy is not None
    known = {word for labels in column.hierarchy.labels for word in labels.words}
    return set(published.vocabulary.words) <= known


def _leaves(column: Column, published: Column) -> int:
    """Return how many leaves the labels of all people stand for."""
    read = published_column(column, published, np.arange(len(column)))
    return int(read.leaves[read.labels].sum())
