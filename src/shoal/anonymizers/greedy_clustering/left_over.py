"""Where records go that made no cluster, and what becomes of clusters that break a promise then."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from shoal.anonymizers.promises import GroupPromises
from shoal.kernels.clustering.cluster_costs import cheapest_merges, disperse
from shoal.progress import stage

from .record_kinds import RecordKinds

__all__ = ["dispersed", "merged"]


def dispersed(kinds: RecordKinds, labels: np.ndarray) -> np.ndarray:
    """Return labels in which every record without a cluster, −1, joins the one whose cost grows least by it.

    They join in canonical order, and each finds clusters as those before it left them.
    """
    left = kinds.rows[labels[kinds.rows] < 0]
    if not len(left) or labels.max(initial=-1) < 0:
        return labels
    with stage("dispersing what is left over"):
        joined = disperse(kinds.ruler, kinds.values[left], *_extents(kinds, labels))
    labels = labels.copy()
    labels[left] = joined
    return labels


def merged(kinds: RecordKinds, labels: np.ndarray, promises: GroupPromises) -> np.ndarray:
    """Return labels in which every cluster that breaks a promise is merged with the one at the least cost.

    This is repeated until all keep the promises or one is left.
    """
    rows = np.arange(len(labels))
    while (n_clusters := int(labels.max(initial=-1)) + 1) > 1:
        broken = np.flatnonzero(~promises.kept(rows, labels, n_clusters))
        if not len(broken):
            break
        others = cheapest_merges(kinds.ruler, *_extents(kinds, labels), broken)
        joins = coo_array((np.ones(len(broken)), (broken, others)), shape=(n_clusters, n_clusters))
        labels = connected_components(joins, directed=False)[1].astype(np.int64)[labels]
    return labels


def _extents(kinds: RecordKinds, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the lowest and the highest value of each cluster by attribute, and its size."""
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] >= 0]
    begins = np.flatnonzero(np.diff(labels[order], prepend=-1))
    values = kinds.values[order]
    lows, highs = (np.ascontiguousarray(how.reduceat(values, begins)) for how in (np.minimum, np.maximum))
    return lows, highs, np.diff(np.append(begins, len(order)))
