"""Groups to begin with, by MDAV, and the merging of groups that break a promise."""

import time
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from shoal.anonymizers.grouping import group_means, group_offsets
from shoal.anonymizers.promises import GroupPromises
from shoal.kernels.clustering.bisection import halved_groups
from shoal.kernels.clustering.mdav import mdav_groups
from shoal.progress import stage

__all__ = ["initial_groups", "merged_groups"]

_WORK = 300_000_000
"""The most squared differences of coordinates, divided by k, in one call of MDAV: a fraction of a second."""
_FAIR_K = 20
"""Beyond this k MDAV is no faster: keeping the nearest points in order outweighs having fewer groups."""
_TREE_AXES = 16
"""The most axes along which points are bisected, those of the largest variance: words have hundreds."""


def initial_groups(points: np.ndarray, k: int, deadline: float | None) -> np.ndarray:
    """Return the group 0, 1, … of each point, of k to 2k − 1 points: by MDAV, in blocks where there are many points.

    Points that MDAV has not reached by the deadline (of ``time.monotonic``) are grouped by bisection.
    """
    axes = np.argsort(-points.var(axis=0), kind="stable")[:_TREE_AXES]
    halving = np.ascontiguousarray(points[:, axes])
    block = max(int((_WORK * min(k, _FAIR_K) / points.shape[1]) ** 0.5), 4 * k)
    blocks = halved_groups(halving, block) if len(points) > block else np.zeros(len(points), np.int64)
    rows, begins = group_offsets(blocks)
    labels, n_groups = np.empty(len(points), np.int64), 0
    with stage("grouping records", len(begins) - 1) as progress:
        for begin, end in pairwise(begins):
            late = deadline is not None and time.monotonic() >= deadline
            some = rows[begin:] if late else rows[begin:end]
            own = halved_groups(halving[some], 2 * k - 1) if late else mdav_groups(points[some], k)
            labels[some] = n_groups + own
            n_groups += int(own.max()) + 1
            if late:
                break
            progress.advance()
    return labels


def merged_groups(points: np.ndarray, labels: np.ndarray, promises: GroupPromises) -> np.ndarray:
    """Return labels in which every group that broke a promise is merged with the group whose mean is nearest.

    This is repeated until all groups keep the promises or one is left. It helps only promises that are merge-safe.
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
