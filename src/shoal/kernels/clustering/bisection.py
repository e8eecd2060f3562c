"""Bisection: sets of points are split in two again and again, each time across their principal axis or widest side."""

from collections.abc import Callable

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sorting import copy_into, stable_order

from .deletable_kdtree import sort_where_widest

__all__ = [
    "bisect_points_by_principal_axis",
    "bisect_rows_by_principal_axis",
    "halve",
    "halve_points",
    "halved_groups",
]


_ROUNDS = 6
_SAMPLE = 4096


@compiled(parallel=True)
def halve_points(points: np.ndarray, order: np.ndarray, begins: np.ndarray, middles: np.ndarray) -> None:
    """Sort every set so that its points before the middle are on one side of it, and the others on the other.

    Set s is order[begins[s]:begins[s + 1]], and is put in order in place; one whose middle is not inside it is left
    alone. The direction is found by a few rounds of power iteration on at most a few thousand points of the set.
    """
    for s in prange(len(begins) - 1):
        first, last = begins[s], begins[s + 1]
        if not first < middles[s] < last:
            continue
        rows = order[first:last]
        direction = _direction(points, rows)
        places = np.empty(len(rows), np.float64)
        for i in range(len(rows)):
            places[i] = _along(points, rows[i], direction)
        copy_into(rows, rows[stable_order(places)])


@compiled
def _direction(points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the direction of the largest variance."""
    width = points.shape[1]
    some = rows[:: max(1, len(rows) // _SAMPLE)]
    mean = np.zeros(width, np.float64)
    for row in some:
        for column in range(width):
            mean[column] += points[row, column] / len(some)
    # begin with the point farthest from the mean: it is never across everything in which points differ
    direction, farthest = np.zeros(width, np.float64), 0.0
    for row in some:
        length = 0.0
        for column in range(width):
            length += (points[row, column] - mean[column]) ** 2
        if length > farthest:
            farthest = length
            for column in range(width):
                direction[column] = (points[row, column] - mean[column]) / np.sqrt(length)
    for _ in range(_ROUNDS):
        turned = np.zeros(width, np.float64)
        for row in some:
            along = 0.0
            for column in range(width):
                along += (points[row, column] - mean[column]) * direction[column]
            for column in range(width):
                turned[column] += along * (points[row, column] - mean[column])
        length = np.sqrt(np.sum(turned * turned))
        if length == 0.0:
            break
        direction = turned / length
    return direction


@compiled
def _along(points: np.ndarray, row: int, direction: np.ndarray) -> float:
    total = 0.0
    for column in range(len(direction)):
        total += points[row, column] * direction[column]
    return total


_ROW_ROUNDS = 6
_ROW_SAMPLE = 4096


@compiled(parallel=True)
def halve(
    indptr: np.ndarray,
    indices: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray,
    order: np.ndarray,
    begins: np.ndarray,
    middles: np.ndarray,
) -> None:
    """Sort every set so that its rows before the middle are on one side of it, and the others on the other.

    Set s is order[begins[s]:begins[s + 1]], and is put in order in place. Rows are points with the given values, 0
    where there is none; a column counts by its weight. The direction is found by a few rounds of power iteration on at
    most a few thousand rows of the set.
    """
    for s in prange(len(begins) - 1):
        first, last = begins[s], begins[s + 1]
        if not first < middles[s] < last:
            continue
        rows = order[first:last]
        direction = _row_direction(indptr, indices, values, weights, rows)
        places = np.empty(len(rows), np.float64)
        for i in range(len(rows)):
            places[i] = _along_row(indptr, indices, values, rows[i], direction)
        copy_into(rows, rows[stable_order(places)])


@compiled
def _row_direction(
    indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, weights: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Return the direction of the largest variance, each column times its weight."""
    step = max(1, len(rows) // _ROW_SAMPLE)
    direction = np.zeros(len(weights), np.float64)
    # begin with the difference of two rows: it is never across everything in which rows differ
    _add(indptr, indices, values, rows[0], 1.0, direction)
    _add(indptr, indices, values, rows[len(rows) // 2], -1.0, direction)
    for column in range(len(weights)):
        direction[column] += weights[column] * 1e-3
    along = np.empty((len(rows) + step - 1) // step, np.float64)
    for _ in range(_ROW_ROUNDS):
        mean = 0.0
        for i in range(len(along)):
            along[i] = _along_row(indptr, indices, values, rows[i * step], direction)
            mean += along[i] / len(along)
        direction[:] = 0.0
        for i in range(len(along)):
            _add(indptr, indices, values, rows[i * step], along[i] - mean, direction)
        length = 0.0
        for column in range(len(weights)):
            direction[column] *= weights[column]
            length += direction[column] ** 2
        if length == 0.0:
            break
        direction /= np.sqrt(length)
    return direction


@compiled
def _along_row(indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, row: int, direction: np.ndarray) -> float:
    total = 0.0
    for place in range(indptr[row], indptr[row + 1]):
        total += values[place] * direction[indices[place]]
    return total


@compiled
def _add(
    indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, row: int, factor: float, direction: np.ndarray
) -> None:
    for place in range(indptr[row], indptr[row + 1]):
        direction[indices[place]] += factor * values[place]


@compiled
def halved_groups(points, most):
    """Return the group of each point: whatever has more than ``most`` points is halved where it is widest.

    A group that is halved has a point more in the second half or as many, so that with 2k − 1 at most there are k at
    least where all together are. Of equal values the point with the lower number is in the first half.
    """
    n = len(points)
    labels, numbers = np.zeros(n, np.int64), np.arange(n)
    begins, ends = np.empty(128, np.int64), np.empty(128, np.int64)
    begins[0], ends[0], waiting, group = 0, n, 1, 0
    while waiting:
        waiting -= 1
        begin, end = begins[waiting], ends[waiting]
        if end - begin <= most:
            labels[numbers[begin:end]] = group
            group += 1
            continue
        sort_where_widest(points, numbers, begin, end)
        middle = (begin + end) // 2
        # the half that waits longer first: the other is the one that is looked at next
        begins[waiting], ends[waiting] = middle, end
        begins[waiting + 1], ends[waiting + 1] = begin, middle
        waiting += 2
    return labels


def bisect_points_by_principal_axis(
    points: np.ndarray, order: np.ndarray, begins: np.ndarray, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Split sets of points into parts of at least ``size`` and less than twice that; return their order and offsets.

    Set s is ``order[begins[s]:begins[s + 1]]``; a set of less than twice ``size`` stays whole.
    """
    return _bisected(order, begins, size, lambda *sets: halve_points(points, *sets))


def bisect_rows_by_principal_axis(
    rows: tuple[np.ndarray, np.ndarray, np.ndarray],
    weights: np.ndarray,
    order: np.ndarray,
    begins: np.ndarray,
    size: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Split sets of compressed rows (pointers, columns, values) likewise; ``weights`` are those of the columns."""
    return _bisected(order, begins, size, lambda *sets: halve(*rows, weights, *sets))


def _bisected(
    order: np.ndarray, begins: np.ndarray, size: int, split: Callable[[np.ndarray, np.ndarray, np.ndarray], None]
) -> tuple[np.ndarray, np.ndarray]:
    order = order.copy()
    while (parts := np.diff(begins) // size).max(initial=0) >= 2:
        remainder = np.diff(begins) - parts * size
        middles = begins[:-1] + np.where(parts >= 2, parts // 2 * size + remainder // 2, 0)
        split(order, begins, middles)
        begins = np.union1d(begins, middles)
    return order, begins
