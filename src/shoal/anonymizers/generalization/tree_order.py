"""The order of values in which those under one label of a hierarchy are adjacent."""

import numpy as np

from shoal.data import Column, Hierarchy

__all__ = ["tree_places"]


def tree_places(column: Column, hierarchy: Hierarchy) -> np.ndarray:
    """Return the place of each value in an order in which the values under each label are adjacent.

    Labels are ordered by the first of their values that occurs, however labels are numbered.
    """
    n = len(column.vocabulary)
    rank = np.where(column.counts > 0, np.arange(n), n + np.arange(n))
    keys = []
    for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
        first = np.full(len(labels), 2 * n)
        np.minimum.at(first, codes, rank)
        keys.append(first[codes])
    return np.argsort(np.lexsort(keys))
