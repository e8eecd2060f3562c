"""Records as standardized points, whose Euclidean distance is the distance of the records."""

from collections.abc import Sequence

import numpy as np

from shoal.data import Column

__all__ = ["standardized_points"]

_AXES = 32
"""The most values of a level that have an axis each, the most common ones; all others share one."""


def standardized_points(columns: Sequence[Column]) -> np.ndarray:
    """Return the point of each record.

    *Numbers and dates* lie on one axis, and so do values whose order ``categories`` declare, by their place in it.
    *Values with a hierarchy* are the farther apart, the more of its levels distinguish them; *other values* are either
    equal or not. Squared distances in a column are divided by its variance (with n − 1), so that every column counts
    alike: on numbers alone these are z-scores. A missing number lies at the mean, and one further axis distinguishes it
    from the others. A constant column has no axis; where there is no other, all points are 0.
    """
    places = [_places(column) for column in columns]
    ends = np.cumsum([place.shape[1] for place in places])
    points = np.zeros((len(columns[0]), max(int(ends[-1]), 1)))
    for column, place, end in zip(columns, places, ends, strict=True):
        points[:, end - place.shape[1] : end] = place[column.codes]
    return points


def _places(column: Column) -> np.ndarray:
    """Return the position of each value of the vocabulary."""
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
    # scaled by a power of two, which rounds nothing, so that squares neither overflow nor underflow
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
    """Return an indicator axis for each label, at every level below the root."""
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
