"""Records as points, so that how far apart they are is a distance between points."""

import time
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from shoal.anonymizers.grouping import group_means, group_offsets
from shoal.anonymizers.promises import GroupPromises
from shoal.data import Column
from shoal.kernels.clustering.bisection import halved_groups
from shoal.kernels.clustering.mdav import mdav_groups
from shoal.progress import stage

__all__ = ["first_groups", "joined_groups", "record_points"]


_AXES = 32
"""So many values of a level have an axis each, the most common ones; all others share one."""


def record_points(columns: Sequence[Column]) -> np.ndarray:
    """Return the point of each record.

    *Numbers and dates* lie on one axis, and so do values whose order ``categories`` declare, by their place in it.
    *Values with a hierarchy* are the farther apart, the more of its levels tell them apart; *other values* are either
    the same or not. Squared distances in a column are divided by its variance (with n − 1), so that every column counts
    alike: on numbers alone these are z-scores. A missing number lies at the mean, and one further axis tells it from
    what is there. A column in which all are alike has no axis; where there is no other, all are at 0.
    """
    places = [_places(column) for column in columns]
    ends = np.cumsum([place.shape[1] for place in places])
    points = np.zeros((len(columns[0]), max(int(ends[-1]), 1)))
    for column, place, end in zip(columns, places, ends, strict=True):
        points[:, end - place.shape[1] : end] = place[column.codes]
    return points


def _places(column: Column) -> np.ndarray:
    """Return where each value of the vocabulary lies."""
    if column.vocabulary.is_ordered:
        axes = _numbered(column.vocabulary.numbers)
    elif (ranks := column.rank_of) is not None:
        axes = _numbered(np.where(ranks > 0, ranks, np.nan))
    else:
        axes = _marked(column)
    counts = column.counts
    used = counts > 0
    if np.count_nonzero(used) < 2:
        return np.empty((len(counts), 0))
    # by a power of two, which rounds nothing: squares of numbers however large or small are numbers again
    axes = np.ldexp(axes, -np.frexp(np.nanmax(np.abs(axes[used]), initial=0.0))[1])
    # from counts of values, so that nothing depends on the order of records
    present = used & ~np.isnan(axes[:, 0])
    mean = counts[present] @ axes[present] / counts[present].sum() if present.any() else np.zeros(axes.shape[1])
    missing = np.isnan(axes[:, :1])
    centered = np.where(missing, 0.0, axes - mean)
    variance = float(counts @ (centered**2).sum(axis=1)) / max(int(counts[present].sum()) - 1, 1)
    scaled = centered / np.sqrt(variance) if variance > 0 else centered
    if missing[used].any():
        scaled = np.hstack([scaled, missing.astype(np.float64)])
    return scaled


def _numbered(numbers: np.ndarray) -> np.ndarray:
    return numbers.astype(np.float64)[:, None]


def _marked(column: Column) -> np.ndarray:
    """Return a mark on an axis for each value that is told apart, at every level that tells values apart."""
    maps = column.hierarchy.maps[:-1] if column.hierarchy is not None else ()
    levels = [np.asarray(codes) for codes in maps] or [np.arange(len(column.vocabulary))]
    return np.hstack([_level_marks(codes, column.counts) for codes in levels])


def _level_marks(codes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    sizes = np.bincount(codes, weights=counts)
    axis_of = np.full(len(sizes), _AXES)
    common = np.argsort(-sizes, kind="stable")[:_AXES]
    axis_of[common] = np.arange(len(common))
    marks = np.zeros((len(codes), _AXES + 1))
    marks[np.arange(len(codes)), axis_of[codes]] = 1.0
    return marks[:, marks.any(axis=0)]


_WORK = 300_000_000
"""As many squared differences of coordinates, divided by k, as MDAV may look at in one go: a fraction of a second."""
_FAIR_K = 20
"""Groups of more than that take as long as of so many: keeping the nearest in order outweighs having fewer groups."""
_TREE_AXES = 16
"""Points are halved along the axes on which they differ most, so many at most: words have hundreds."""


def first_groups(points: np.ndarray, k: int, deadline: float | None) -> np.ndarray:
    """Return each point its group 0, 1, … of k to 2k − 1 points: by MDAV, in blocks where there are many points.

    What MDAV has not come to when time (of ``time.monotonic``) is up is grouped by halving.
    """
    axes = np.argsort(-points.var(axis=0), kind="stable")[:_TREE_AXES]
    halving = np.ascontiguousarray(points[:, axes])
    block = max(int((_WORK * min(k, _FAIR_K) / points.shape[1]) ** 0.5), 4 * k)
    rows, begins = group_offsets(halved_groups(halving, block))
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


def joined_groups(points: np.ndarray, labels: np.ndarray, promises: GroupPromises) -> np.ndarray:
    """Return the groups in which every one that broke a promise has joined the group whose mean is nearest.

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
