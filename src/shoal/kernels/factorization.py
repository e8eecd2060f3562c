"""Matrix factorization: half a sweep of alternating least squares, and residuals of a low-rank product.

Half a sweep fits the factors of every row while those of the columns are fixed. Residuals are those of known cells; the
product itself is never formed.

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
    "solve_rows",
]


_TILE = 256
"""The number of products added up in single precision before they go to the sums in double precision."""
_AT_ONCE = 8
"""The number of entries added in one pass over the sums; _add_products is written out for it."""
_ROUNDING = 1e-6
"""What is left of a sum of squares is nothing, if less than this part of it: it was added up in single precision."""


@compiled(parallel=True)
def solve_rows(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    unit: float,
    mean: float,
    columns: np.ndarray,
    penalties: np.ndarray,
    borders: np.ndarray,
    rows: np.ndarray,
) -> None:
    """Write to rows, for each compressed row, the factors and the bias that fit its entries best.

    rows and columns are float32 with one line for each row and column: the factors, then the bias. An entry in row i
    and column j is fitted as ``code·unit − mean ≈ u·v + b + c``, where u and b are the factors and the bias of the row,
    v and c those of the column. What is made least, exactly but for rounding, is the sum of squared errors plus
    ``penalties[i]·(u·u + b²)``; penalties are positive. A row without entries gets zeros.

    The rows between two borders are one task. Each row is solved by itself, so the result does not depend on how many
    threads there are or where the borders lie.
    """
    size = columns.shape[1]
    width = (size + 8) // 8 * 8  # the factors, 1 for the bias and the value to fit, filled up to whole vectors
    for part in prange(len(borders) - 1):
        tile = np.zeros((_TILE, width), np.float32)
        partial = np.zeros((size + 1, width), np.float32)
        sums = np.zeros((size + 1, size + 1), np.float64)
        answer = np.zeros(size, np.float64)
        for row in range(borders[part], borders[part + 1]):
            if indptr[row] == indptr[row + 1]:
                rows[row] = 0.0
                continue
            sums[:] = 0.0
            for first in range(indptr[row], indptr[row + 1], _TILE):
                last = min(first + _TILE, indptr[row + 1])
                _fill_tile(indices, codes, first, last, unit, mean, columns, tile)
                partial[:] = 0.0
                _add_products(tile, last - first, partial)
                for a in range(size + 1):
                    for b in range(a + 1):
                        sums[a, b] += partial[a, b]
            for a in range(size):
                sums[a, a] += penalties[row]
            _solve(sums, size, answer)
            for a in range(size):
                rows[row, a] = answer[a]


@compiled
def _fill_tile(
    indices: np.ndarray,
    codes: np.ndarray,
    first: int,
    last: int,
    unit: float,
    mean: float,
    columns: np.ndarray,
    tile: np.ndarray,
) -> None:
    """Write a line for each entry: the factors of its column, 1, and what is to be fitted; then lines of zeros."""
    factors = columns.shape[1] - 1
    for i in range(first, last):
        line, column = tile[i - first], columns[indices[i]]
        for a in range(factors):
            line[a] = column[a]
        line[factors] = 1.0
        line[factors + 1] = codes[i] * unit - mean - column[factors]
    for i in range(last - first, -(-(last - first) // _AT_ONCE) * _AT_ONCE):
        tile[i] = 0.0


@compiled(fastmath={"contract"})
def _add_products(tile: np.ndarray, n: int, sums: np.ndarray) -> None:
    """Add the products of all pairs of columns of the tile's first n lines, below the diagonal and at it.

    Eight lines at once: sums are read and written once for all of them. A little above the diagonal is added too,
    because whole vectors are quicker than their parts.
    """
    for i in range(0, n, _AT_ONCE):
        l0, l1, l2, l3, l4, l5, l6, l7 = (
            tile[i], tile[i + 1], tile[i + 2], tile[i + 3], tile[i + 4], tile[i + 5], tile[i + 6], tile[i + 7],
        )  # fmt: skip
        for a in range(len(sums)):
            x0, x1, x2, x3, x4, x5, x6, x7 = l0[a], l1[a], l2[a], l3[a], l4[a], l5[a], l6[a], l7[a]
            into = sums[a]
            for b in range((a | 7) + 1):
                into[b] += ((x0 * l0[b] + x1 * l1[b]) + (x2 * l2[b] + x3 * l3[b])) + (
                    (x4 * l4[b] + x5 * l5[b]) + (x6 * l6[b] + x7 * l7[b])
                )


@compiled
def _solve(sums: np.ndarray, size: int, answer: np.ndarray) -> None:
    """Solve the normal equations in place by Cholesky's method; the right-hand side is the line below the matrix.

    A factor that rounding cannot distinguish from those before it gets 0, by an infinite pivot.
    """
    for a in range(size + 1):  # the right-hand side is carried along as one line more
        for b in range(min(a, size)):
            value = sums[a, b]
            for c in range(b):
                value -= sums[a, c] * sums[b, c]
            sums[a, b] = value / sums[b, b]
        if a < size:
            pivot = sums[a, a]
            for c in range(a):
                pivot -= sums[a, c] ** 2
            sums[a, a] = np.sqrt(pivot) if pivot > _ROUNDING * sums[a, a] else np.inf
    for a in range(size - 1, -1, -1):
        value = sums[size, a]
        for c in range(a + 1, size):
            value -= sums[c, a] * answer[c]
        answer[a] = value / sums[a, a]


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
