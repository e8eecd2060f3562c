"""One half of a sweep of alternating least squares: every row's factors anew, while those of the columns stay."""

import numpy as np
from numba import njit, prange

__all__ = ["solve_rows"]

_TILE = 256
"""So many products are added up in single precision before they go to the sums in double precision."""
_AT_ONCE = 8
"""So many entries are added in one pass over the sums; _add_products is written out for it."""
_ROUNDING = 1e-6
"""What is left of a sum of squares is nothing, if less than this part of it: it was added up in single precision."""


@njit(cache=True, nogil=True, parallel=True)
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
    for part in prange(len(borders) - 1):  # pyright: ignore[reportGeneralTypeIssues]
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True, fastmath={"contract"})
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


@njit(cache=True, nogil=True)
def _solve(sums: np.ndarray, size: int, answer: np.ndarray) -> None:
    """Solve the normal equations in place by Cholesky's method; the right-hand side is the line below the matrix.

    A factor that rounding cannot tell from those before it gets 0, as an infinite pivot gives it.
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
