"""Groups that break a promise join their neighbours."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from .group_means import group_means
from .group_promises import GroupPromises

__all__ = ["joined_groups"]


def joined_groups(points: np.ndarray, labels: np.ndarray, promises: GroupPromises) -> np.ndarray:
    """Give the groups in which every one that broke a promise has joined the group whose mean is nearest.

    It is repeated until all keep the promises or all are one. Joining may help only promises that joining never breaks.
    """
    rows = np.arange(len(labels))
    while (n_groups := int(labels.max(initial=-1)) + 1) > 1:
        broken = np.flatnonzero(~promises.kept(rows, labels, n_groups))
        if not len(broken):
            break
        means = group_means(points, labels)
        nearest = np.asarray(KDTree(means).query(means[broken], k=2)[1])
        other = np.where(nearest[:, 0] == broken, nearest[:, 1], nearest[:, 0])
        joins = coo_array((np.ones(len(broken)), (broken, other)), shape=(n_groups, n_groups))
        labels = connected_components(joins, directed=False)[1].astype(np.int64)[labels]
    return labels
