"""Halve sets of compressed rows again and again, each time across the direction in which they differ most."""

import numpy as np
from numba import njit, prange

__all__ = ["halve"]

_ROUNDS = 6
_SAMPLE = 4096


@njit(cache=True, nogil=True, parallel=True)
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
    for s in prange(len(begins) - 1):  # pyright: ignore[reportGeneralTypeIssues]
        first, last = begins[s], begins[s + 1]
        if not first < middles[s] < last:
            continue
        rows = order[first:last]
        direction = _direction(indptr, indices, values, weights, rows)
        places = np.empty(len(rows), np.float64)
        for i in range(len(rows)):
            places[i] = _along(indptr, indices, values, rows[i], direction)
        order[first:last] = rows[np.argsort(places, kind="mergesort")]


@njit(cache=True, nogil=True)
def _direction(
    indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, weights: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Give the direction of the largest variance, each column times its weight."""
    step = max(1, len(rows) // _SAMPLE)
    direction = np.zeros(len(weights), np.float64)
    # begin with the difference of two rows: it is never across everything that tells rows apart
    _add(indptr, indices, values, rows[0], 1.0, direction)
    _add(indptr, indices, values, rows[len(rows) // 2], -1.0, direction)
    for column in range(len(weights)):
        direction[column] += weights[column] * 1e-3
    along = np.empty((len(rows) + step - 1) // step, np.float64)
    for _ in range(_ROUNDS):
        mean = 0.0
        for i in range(len(along)):
            along[i] = _along(indptr, indices, values, rows[i * step], direction)
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


@njit(cache=True, nogil=True)
def _along(indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, row: int, direction: np.ndarray) -> float:
    total = 0.0
    for place in range(indptr[row], indptr[row + 1]):
        total += values[place] * direction[indices[place]]
    return total


@njit(cache=True, nogil=True)
def _add(
    indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, row: int, factor: float, direction: np.ndarray
) -> None:
    for place in range(indptr[row], indptr[row + 1]):
        direction[indices[place]] += factor * values[place]
