"""Add up, in the maximum norm, what belongs to the rows within a radius: by comparing every two."""

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["add_by_pairs", "add_by_pairs_in_groups", "add_by_slices", "near_points", "near_rows", "slices"]


@compiled(parallel=True)
def add_by_pairs(
    indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, amounts: np.ndarray, radius: int, out: np.ndarray
) -> None:
    """Add to out[i] the amounts of all compressed rows, itself included, with the same indices and near data.

    Every two rows are looked at; the comparison of two stops at the first place that separates them.
    """
    n = len(indptr) - 1
    for i in prange(n):
        for j in range(n):
            if near_rows(indptr, indices, data, i, j, radius):
                for amount in range(out.shape[1]):
                    out[i, amount] += amounts[j, amount]


@compiled(parallel=True)
def add_by_pairs_in_groups(
    indptr: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    amounts: np.ndarray,
    radius: int,
    out: np.ndarray,
) -> None:
    """Do the same within groups of rows that are known to have the same indices.

    Group g is made of the rows members[begins[g]:begins[g + 1]].
    """
    for g in prange(len(begins) - 1):
        for one in range(begins[g], begins[g + 1]):
            i = members[one]
            length = indptr[i + 1] - indptr[i]
            for other in range(begins[g], begins[g + 1]):
                j = members[other]
                near = True
                for step in range(length):
                    if abs(np.int64(data[indptr[i] + step]) - np.int64(data[indptr[j] + step])) > radius:
                        near = False
                        break
                if near:
                    for amount in range(out.shape[1]):
                        out[i, amount] += amounts[j, amount]


@compiled
def near_points(points: np.ndarray, one: int, other: int, radius: int) -> bool:
    """Return whether two points are at most radius apart in every column; stops at the first that separates them."""
    for column in range(points.shape[1]):
        if abs(np.int64(points[one, column]) - np.int64(points[other, column])) > radius:
            return False
    return True


@compiled
def near_rows(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, one: int, other: int, radius: int) -> bool:
    """Return whether two compressed rows have the same columns and are at most radius apart in each."""
    a, b = indptr[one], indptr[other]
    length = indptr[one + 1] - a
    if indptr[other + 1] - b != length:
        return False
    for step in range(length):
        if indices[a + step] != indices[b + step]:
            return False
        if abs(np.int64(data[a + step]) - np.int64(data[b + step])) > radius:
            return False
    return True


@compiled(parallel=True)
def slices(points: np.ndarray, n_values: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for every column the rows in the order of their values, and where each value begins."""
    n, width = points.shape
    order = np.empty((width, n), np.int64)
    begins = np.zeros((width, n_values + 1), np.int64)
    for column in prange(width):
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


@compiled(parallel=True)
def add_by_slices(
    points: np.ndarray, order: np.ndarray, begins: np.ndarray, amounts: np.ndarray, radius: int, out: np.ndarray
) -> None:
    """Add to out[i] the amounts of all points, itself included, at most radius away in every column.

    The planes at the radius on either side of a point cut a slice out of every column; the points of the slice that
    has the fewest are trimmed column by column.
    """
    n, width = points.shape
    n_values = begins.shape[1] - 1
    for i in prange(n):
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
