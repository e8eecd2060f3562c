"""Add up, in the maximum norm, what belongs to the points within a radius: by the thinnest slice around each."""

import numpy as np
from numba import njit, prange

from .near import near_points

__all__ = ["add_by_slices", "slices"]


@njit(cache=True, nogil=True, parallel=True)
def slices(points: np.ndarray, n_values: int) -> tuple[np.ndarray, np.ndarray]:
    """Give for every column the rows in the order of their values, and where each value begins."""
    n, width = points.shape
    order = np.empty((width, n), np.int64)
    begins = np.zeros((width, n_values + 1), np.int64)
    for column in prange(width):  # pyright: ignore[reportGeneralTypeIssues]
        for i in range(n):
            begins[column, points[i, column] + 1] += 1
        for value in range(n_values):
            begins[column, value + 1] += begins[column, value]
        place = begins[column].copy()
        for i in range(n):
            value = points[i, column]
            order[column, place[value]] = i
            place[value] += 1
    return order, begins


@njit(cache=True, nogil=True, parallel=True)
def add_by_slices(
    points: np.ndarray, order: np.ndarray, begins: np.ndarray, amounts: np.ndarray, radius: int, out: np.ndarray
) -> None:
    """Add to out[i] the amounts of all points, itself included, at most radius away in every column.

    The planes at the radius on either side of a point cut a slice out of every column; the points of the slice that
    has the fewest are trimmed column by column.
    """
    n, width = points.shape
    n_values = begins.shape[1] - 1
    for i in prange(n):  # pyright: ignore[reportGeneralTypeIssues]
        best, first, last = -1, 0, n
        for column in range(width):
            value = np.int64(points[i, column])
            begin = begins[column, max(0, value - radius)]
            end = begins[column, min(n_values, value + radius + 1)]
            if end - begin < last - first:
                best, first, last = column, begin, end
        for place in range(first, last):
            j = order[best, place] if best >= 0 else place
            if near_points(points, i, j, radius):
                for amount in range(out.shape[1]):
                    out[i, amount] += amounts[j, amount]
