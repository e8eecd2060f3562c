"""Bounded t-means: groups of at least a given size by any similarity, as the paper makes them.

Centers are drawn, every row goes to the nearest one that has room, and means of the groups become the next centers, as
long as that makes rows less dissimilar from their centers. Where the paper leaves it open:

- A group has room until it has its size. Rows that are left when all groups are full, less than the size, go to the
  nearest.
- The pair of row and center that is least dissimilar is served first, then the next.
- Means are centers whatever the similarity is; they are the best centers for squared differences alone.

Distances that are squared have a better way (:mod:`.size_constrained_kmeans`), which moves and swaps single points.

*Reference.* Section 4.2 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), after Thompson and Yao, The
Union-Split Algorithm and Cluster-Based Anonymization of Social Networks (2009).
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from shoal.anonymizers.grouping import group_means, group_offsets
from shoal.kernels.clustering.bounded_groups import fill_groups
from shoal.progress import stage

from .bins import Bins, Space, check_size, merge_small, nearest_bins

__all__ = ["bounded_t_means", "groups_by_similarity"]

_ROUNDS = 20


def groups_by_similarity(
    space: Space, size: int, generator: np.random.Generator, bins: Bins | None = None
) -> np.ndarray:
    """Label users by group 0, 1, …; every group has at least ``size`` members and less than twice as many.

    Users are divided into bins, and bins into groups. Rows are computed for one bin at a time.
    """
    check_size(len(space), size)
    if size == 1:
        return np.arange(len(space))
    order, begins = group_offsets(_divided(space, size, generator, bins or Bins()))
    labels, made = np.empty(len(space), np.int64), 0
    with stage("grouping by similarity", len(begins) - 1) as progress:
        for start, end in pairwise(begins):
            members = generator.permutation(order[start:end])  # equal users are assigned at random
            labels[members] = made + bounded_t_means(space.rows(members), space.apart, size, generator)
            made += len(members) // size
            progress.advance()
    return labels


def bounded_t_means(
    rows: np.ndarray,
    apart: Callable[[np.ndarray, np.ndarray], np.ndarray],
    size: int,
    generator: np.random.Generator,
) -> np.ndarray:
    """Label rows by group 0, 1, …, ⌊rows / size⌋ groups in all, each of at least ``size`` rows."""
    n_groups = len(rows) // size
    centers = rows[generator.choice(len(rows), n_groups, replace=False)]
    best, least = np.zeros(len(rows), np.int64), np.inf
    for _ in range(_ROUNDS if n_groups > 1 else 0):
        distances = apart(rows, centers)
        labels = fill_groups(np.argsort(distances, axis=None, kind="stable"), *distances.shape, size)
        total = float(distances[np.arange(len(rows)), labels].sum(dtype=np.float64))
        if total >= least:
            break
        best, least = labels, total
        centers = group_means(rows, labels).astype(np.float32)
    return best


def _divided(space: Space, size: int, generator: np.random.Generator, bins: Bins) -> np.ndarray:
    wanted = bins.wanted(len(space), size)
    if wanted < 2:
        return np.zeros(len(space), np.int64)
    centers = bins.find_centers(space, wanted, generator)
    return merge_small(nearest_bins(space, centers), centers, size, space.nearest)
