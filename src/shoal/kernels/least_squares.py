"""Least squares: half a sweep of alternating least squares, in sums that have one order.

Half a sweep fits the factors of every row while those of the columns are fixed.
"""

import numpy as np

from .compiled import compiled, prange
from .compressed_rows import lower_bound

__all__ = ["solve_rows"]


_AT_ONCE = 4
"""The factors whose sums of products stay in registers; _add_triangle and _add_square are written out for it."""
_TILE = 128
"""The entries that are worked on at a time: they stay in the fastest cache."""
_BLOCK = 1 << 16
"""The columns whose entries are added up by themselves, before their sums are added to those of the row."""
_ROUNDING = 1e-6
"""What is left of a sum of squares is nothing, if less than this part of it: factors are in single precision."""


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

    Sums have one order. What is to be fitted, ``code·unit − mean − c``, is rounded to single precision, so that all
    products are exact in double precision. They are added up in the order of columns, within blocks of 65,536 columns
    numbered from 0; the sums of blocks are then added in their order. So the result depends neither on threads nor on
    borders, between which rows are one task, and blocks may as well be added up apart.
    """
    factors, lines = columns.shape[1] - 1, _filled_up(columns)
    size = lines.shape[1]
    for part in prange(len(borders) - 1):
        tile, order = np.zeros((_TILE, size), np.float64), np.arange(_TILE)
        block, sums = np.zeros((size + 1, size + 1), np.float64), np.zeros((size + 1, size + 1), np.float64)
        answer, wanted = np.zeros(size, np.float64), np.zeros(_TILE, np.float32)
        for row in range(borders[part], borders[part + 1]):
            if indptr[row] == indptr[row + 1]:
                rows[row] = 0.0
                continue
            sums[:] = 0.0
            first, last = indptr[row], indptr[row + 1]
            while first < last:
                end = last
                if indices[last - 1] // _BLOCK > indices[first] // _BLOCK:
                    end = lower_bound(indices, first, last, (indices[first] // _BLOCK + 1) * _BLOCK)
                _add_up(indices, codes, first, end, unit, mean, lines, tile, order, wanted, block)
                sums += block
                first = end
            for a in range(size):
                sums[a, a] += penalties[row]
            _solve(sums, size, answer)
            for a in range(factors):
                rows[row, a] = answer[a]
            rows[row, factors] = answer[size - 1]


@compiled
def _filled_up(columns):
    """Return the lines with factors of 0 up to a multiple of those added at once; they change no other factor."""
    factors = columns.shape[1] - 1
    lines = np.zeros((len(columns), max(-(-factors // _AT_ONCE), 1) * _AT_ONCE + 1), np.float32)
    for i in range(len(columns)):
        for a in range(factors):
            lines[i, a] = columns[i, a]
        lines[i, lines.shape[1] - 1] = columns[i, factors]
    return lines


@compiled
def _add_up(indices, codes, first, last, unit, mean, lines, tile, order, wanted, sums):
    """Write the normal equations of some entries to sums, at the diagonal and below it.

    They have a line for each factor, one for the bias, and one for the right-hand side.
    """
    sums[:] = 0.0
    factors = lines.shape[1] - 1
    for start in range(first, last, _TILE):
        n = min(_TILE, last - start)
        for i in range(n):
            wanted[i] = codes[start + i] * unit - mean - lines[np.uint64(indices[start + i]), factors]
        if factors == _AT_ONCE:  # one pass, for which nothing need be copied
            _add_triangle(indices, start, lines, wanted, n, 0, sums)
            continue
        for i in range(n):
            at = np.uint64(indices[start + i])
            for a in range(factors):
                tile[i, a] = lines[at, a]
        for low in range(0, factors, _AT_ONCE):
            _add_triangle(order, 0, tile, wanted, n, low, sums)
            for high in range(low + _AT_ONCE, factors, _AT_ONCE):
                _add_square(tile, n, low, high, sums)


@compiled(fastmath={"contract"})
def _add_triangle(indices, first, lines, wanted, n, low, sums):
    """Add the products of four factors with each other, with 1 and with what is to be fitted, over n entries."""
    one, last = lines.shape[1] - 1, lines.shape[1]
    s00 = sums[low, low]
    s10, s11 = sums[low + 1, low], sums[low + 1, low + 1]
    s20, s21, s22 = sums[low + 2, low], sums[low + 2, low + 1], sums[low + 2, low + 2]
    s30, s31, s32, s33 = sums[low + 3, low], sums[low + 3, low + 1], sums[low + 3, low + 2], sums[low + 3, low + 3]
    t0, t1, t2, t3 = sums[one, low], sums[one, low + 1], sums[one, low + 2], sums[one, low + 3]
    w0, w1, w2, w3 = sums[last, low], sums[last, low + 1], sums[last, low + 2], sums[last, low + 3]
    w = sums[last, one]
    for i in range(n):
        at = np.uint64(indices[first + i])
        v0, v1 = np.float64(lines[at, low]), np.float64(lines[at, low + 1])
        v2, v3 = np.float64(lines[at, low + 2]), np.float64(lines[at, low + 3])
        value = np.float64(wanted[i])
        s00 += v0 * v0
        s10 += v1 * v0
        s11 += v1 * v1
        s20 += v2 * v0
        s21 += v2 * v1
        s22 += v2 * v2
        s30 += v3 * v0
        s31 += v3 * v1
        s32 += v3 * v2
        s33 += v3 * v3
        t0 += v0
        t1 += v1
        t2 += v2
        t3 += v3
        w0 += value * v0
        w1 += value * v1
        w2 += value * v2
        w3 += value * v3
        w += value
    sums[low, low] = s00
    sums[low + 1, low], sums[low + 1, low + 1] = s10, s11
    sums[low + 2, low], sums[low + 2, low + 1], sums[low + 2, low + 2] = s20, s21, s22
    sums[low + 3, low], sums[low + 3, low + 1], sums[low + 3, low + 2], sums[low + 3, low + 3] = s30, s31, s32, s33
    sums[one, low], sums[one, low + 1], sums[one, low + 2], sums[one, low + 3] = t0, t1, t2, t3
    sums[last, low], sums[last, low + 1], sums[last, low + 2], sums[last, low + 3] = w0, w1, w2, w3
    if low == 0:
        sums[one, one] += n
        sums[last, one] = w


@compiled(fastmath={"contract"})
def _add_square(lines, n, low, high, sums):
    """Add the products of four factors with four later ones, over the first n lines."""
    s00, s01, s02, s03 = sums[high, low], sums[high, low + 1], sums[high, low + 2], sums[high, low + 3]
    s10, s11, s12, s13 = sums[high + 1, low], sums[high + 1, low + 1], sums[high + 1, low + 2], sums[high + 1, low + 3]
    s20, s21, s22, s23 = sums[high + 2, low], sums[high + 2, low + 1], sums[high + 2, low + 2], sums[high + 2, low + 3]
    s30, s31, s32, s33 = sums[high + 3, low], sums[high + 3, low + 1], sums[high + 3, low + 2], sums[high + 3, low + 3]
    for i in range(n):
        v0, v1, v2, v3 = lines[i, low], lines[i, low + 1], lines[i, low + 2], lines[i, low + 3]
        x0, x1, x2, x3 = lines[i, high], lines[i, high + 1], lines[i, high + 2], lines[i, high + 3]
        s00 += x0 * v0
        s01 += x0 * v1
        s02 += x0 * v2
        s03 += x0 * v3
        s10 += x1 * v0
        s11 += x1 * v1
        s12 += x1 * v2
        s13 += x1 * v3
        s20 += x2 * v0
        s21 += x2 * v1
        s22 += x2 * v2
        s23 += x2 * v3
        s30 += x3 * v0
        s31 += x3 * v1
        s32 += x3 * v2
        s33 += x3 * v3
    sums[high, low], sums[high, low + 1], sums[high, low + 2], sums[high, low + 3] = s00, s01, s02, s03
    sums[high + 1, low], sums[high + 1, low + 1], sums[high + 1, low + 2], sums[high + 1, low + 3] = s10, s11, s12, s13
    sums[high + 2, low], sums[high + 2, low + 1], sums[high + 2, low + 2], sums[high + 2, low + 3] = s20, s21, s22, s23
    sums[high + 3, low], sums[high + 3, low + 1], sums[high + 3, low + 2], sums[high + 3, low + 3] = s30, s31, s32, s33


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
