"""Halve sets of points again and again, each time across the direction in which they differ most."""

import numpy as np
from numba import njit, prange

__all__ = ["halve_points"]

_ROUNDS = 6
_SAMPLE = 4096


@njit(cache=True, nogil=True, parallel=True)
def halve_points(points: np.ndarray, order: np.ndarray, begins: np.ndarray, middles: np.ndarray) -> None:
    """Sort every set so that its points before the middle are on one side of it, and the others on the other.

    Set s is order[begins[s]:begins[s + 1]], and is put in order in place; one whose middle is not inside it is left
    alone. The direction is found by a few rounds of power iteration on at most a few thousand points of the set.
    """
    for s in prange(len(begins) - 1):  # pyright: ignore[reportGeneralTypeIssues]
        first, last = begins[s], begins[s + 1]
        if not first < middles[s] < last:
            continue
        rows = order[first:last]
        direction = _direction(points, rows)
        places = np.empty(len(rows), np.float64)
        for i in range(len(rows)):
            places[i] = _along(points, rows[i], direction)
        order[first:last] = rows[np.argsort(places, kind="mergesort")]


@njit(cache=True, nogil=True)
def _direction(points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Give the direction of the largest variance."""
    width = points.shape[1]
    some = rows[:: max(1, len(rows) // _SAMPLE)]
    mean = np.zeros(width, np.float64)
    for row in some:
        for column in range(width):
            mean[column] += points[row, column] / len(some)
    # begin with the point farthest from the mean: it is never across everything that tells points apart
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


@njit(cache=True, nogil=True)
def _along(points: np.ndarray, row: int, direction: np.ndarray) -> float:
    total = 0.0
    for column in range(len(direction)):
        total += points[row, column] * direction[column]
    return total
