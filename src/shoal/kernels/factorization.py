"""Matrix factorization: residuals of a low-rank product, and sums over the factors of raters.

Residuals are those of known cells; the product itself is never formed. Factors are fitted in :mod:`.least_squares`.

Row i is ``left[i] @ right.T``, with ``data`` in place of the product in the cells of compressed sparse rows. What a
known cell holds more than the product is its residual; elsewhere residuals are 0.
"""

import numpy as np

from .compiled import compiled, prange

__all__ = [
    "add_up_errors",
    "add_up_squares",
    "cell_products",
    "largest_squares",
    "residual_products",
    "residual_sums",
    "round_products",
]


@compiled(parallel=True)
def cell_products(left: np.ndarray, right: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return ``left[rows[i]] · right[columns[i]]`` for each i, added up in double precision, as float32."""
    products = np.empty(len(rows), np.float32)
    for i in prange(len(rows)):
        row, column = left[rows[i]], right[columns[i]]
        total = 0.0
        for a in range(left.shape[1]):
            total += np.float64(row[a]) * np.float64(column[a])
        products[i] = total
    return products


_STRETCH = 1024
"""The columns that are worked on at a time: they stay in the fastest cache."""


@compiled(parallel=True)
def round_products(left: np.ndarray, right: np.ndarray, highest: float, parts: float, codes: np.ndarray) -> None:
    """Write ``left @ right`` to codes: kept between 0 and ``highest``, times ``parts``, rounded, halves upwards.

    left is rows × factors, right is factors × columns, both float32. A product is added up in single precision, factor
    after factor, so that it is the same whatever rows and columns are beside it.
    """
    factors, width = right.shape
    nothing, half, most, times = np.float32(0), np.float32(0.5), np.float32(highest), np.float32(parts)
    for row in prange(len(left)):
        whole = np.empty(_STRETCH, np.float32)
        for start in range(0, width, _STRETCH):
            into = codes[row, start : start + _STRETCH]
            sums = whole[: len(into)]
            sums[:] = nothing
            for a in range(factors):
                value, line = left[row, a], right[a, start : start + _STRETCH]
                for i in range(len(sums)):
                    sums[i] += value * line[i]
            for i in range(len(sums)):
                kept = sums[i] if sums[i] > nothing else nothing
                kept = kept if kept < most else most
                into[i] = np.int32(kept * times + half)


@compiled
def _product(row, column):
    total = 0.0
    for a in range(len(row)):
        total += np.float64(row[a]) * np.float64(column[a])
    return total


@compiled(parallel=True)
def residual_products(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    rows: np.ndarray,
    directions: np.ndarray,
) -> np.ndarray:
    """Return ``residuals[rows] @ directions`` as float64; directions are columns × dimensions in float64."""
    out = np.zeros((len(rows), directions.shape[1]))
    for i in prange(len(rows)):
        row = rows[i]
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            residual = np.float64(data[place]) - _product(left[row], right[column])
            for a in range(directions.shape[1]):
                out[i, a] += residual * directions[column, a]
    return out


@compiled
def residual_sums(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Return ``residuals[rows].T @ weights`` as float64; weights are float64, a line for each of the rows."""
    out = np.zeros((len(right), weights.shape[1]))
    for i in range(len(rows)):
        row = rows[i]
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            residual = np.float64(data[place]) - _product(left[row], right[column])
            for a in range(weights.shape[1]):
                out[column, a] += residual * weights[i, a]
    return out


@compiled(parallel=True)
def add_up_squares(indptr: np.ndarray, indices: np.ndarray, points: np.ndarray, borders: np.ndarray) -> np.ndarray:
    """Return for each compressed row the sum of ppᵀ over the points p of its entries' columns: rows × width × width.

    The rows between two borders are one task; only those from the first border to the last are returned. Points are
    float32, sums float64. Each row is added up by itself and in its order, so the result does not depend on how many
    threads there are or where the borders lie.
    """
    width, begin = points.shape[1], borders[0]
    sums = np.zeros((borders[-1] - begin, width, width), np.float64)
    for part in prange(len(borders) - 1):
        for row in range(borders[part], borders[part + 1]):
            into = sums[row - begin]
            for i in range(indptr[row], indptr[row + 1]):
                point = points[indices[i]]
                for a in range(width):
                    value = np.float64(point[a])
                    for b in range(a + 1):
                        into[a, b] += value * point[b]
            for a in range(width):
                for b in range(a):
                    into[b, a] = into[a, b]
    return sums


@compiled(parallel=True)
def add_up_errors(
    indptr: np.ndarray, indices: np.ndarray, codes: np.ndarray, points: np.ndarray, expected: np.ndarray
) -> np.ndarray:
    """Return for each compressed row the sum of ``(code − expected)·p`` over its entries: rows × width, float64.

    The points p and what is expected are those of the entries' columns.
    """
    width = points.shape[1]
    sums = np.zeros((len(indptr) - 1, width), np.float64)
    for row in prange(len(indptr) - 1):
        into = sums[row]
        for i in range(indptr[row], indptr[row + 1]):
            column = indices[i]
            error = codes[i] - expected[column]
            for a in range(width):
                into[a] += error * points[column, a]
    return sums


@compiled(parallel=True)
def largest_squares(indptr: np.ndarray, indices: np.ndarray, points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return for each compressed row the largest pᵀ·M·p over the points p of its entries' columns.

    M is the matrix of that row, symmetric. A row without entries has 0.
    """
    width = matrices.shape[1]
    largest = np.zeros(len(matrices), np.float64)
    for row in prange(len(matrices)):
        matrix = matrices[row]
        for i in range(indptr[row], indptr[row + 1]):
            point = points[indices[i]]
            square = 0.0
            for a in range(width):
                across = 0.0
                for b in range(a):
                    across += matrix[a, b] * point[b]
                square += point[a] * (2 * across + matrix[a, a] * point[a])
            largest[row] = max(largest[row], square)
    return largest
