"""Find, for points, the row that is far from it in the fewest columns: counted in bits, 64 rows at a time."""

import numpy as np
from numba import njit, prange

from .bit_words import trailing_zeros
from .radius_bitmaps import TILE

__all__ = ["lower_to_fewest_far"]

_CHUNK = 64


@njit(cache=True, nogil=True, parallel=True)
def lower_to_fewest_far(
    queries: np.ndarray,
    points: np.ndarray,
    near: np.ndarray,
    missing: int,
    alone: int,
    first: int,
    unit: int,
    keys: np.ndarray,
    found: np.ndarray,
) -> None:
    """Lower keys[q] to the smallest key that point queries[q] has with any row of points that is far in some column.

    near are the bits by column, value and row of :func:`radius_bitmaps`. The key of two is the number of columns in
    which they are far, times unit, plus the sum of their differences, which is less than unit; the value ``missing``
    differs from any other by ``alone``. Rows are numbered on from first; found[q] becomes the first with that key.
    """
    n, width = queries.shape
    depth = 1
    while (1 << depth) <= width:
        depth += 1
    for chunk in prange((n + _CHUNK - 1) // _CHUNK):  # pyright: ignore[reportGeneralTypeIssues]
        digits = np.empty((depth, TILE), np.uint64)
        carry = np.empty(TILE, np.uint64)
        left = np.empty(TILE, np.uint64)
        for q in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            for tile in range(near.shape[2] // TILE):
                _count_far(queries[q], near, tile, digits, carry)
                fewest = _fewest(digits, left)
                if fewest * unit < keys[q]:
                    _lower(queries[q], points, left, tile, fewest * unit, missing, alone, first, keys[q:], found[q:])


@njit(cache=True, nogil=True)
def _count_far(query: np.ndarray, near: np.ndarray, tile: int, digits: np.ndarray, carry: np.ndarray) -> None:
    """Count for each row of a tile the columns in which it is far, as binary digits: one word a digit of 64 rows."""
    digits[:] = np.uint64(0)
    depth = 0
    for column in range(len(query)):
        if (column + 1) >> depth:
            depth += 1
        bits = near[column, query[column], tile * TILE : (tile + 1) * TILE]
        for word in range(TILE):
            carry[word] = ~bits[word]
        for digit in range(depth):
            row = digits[digit]
            for word in range(TILE):
                both = row[word] & carry[word]
                row[word] ^= carry[word]
                carry[word] = both


@njit(cache=True, nogil=True)
def _fewest(digits: np.ndarray, left: np.ndarray) -> int:
    """Give the smallest count above 0, and set the bits of the rows that have it; none if every count is 0."""
    left[:] = np.uint64(0)
    for digit in range(len(digits)):
        for word in range(TILE):
            left[word] |= digits[digit, word]
    fewest = 0
    for digit in range(len(digits) - 1, -1, -1):
        some = np.uint64(0)
        for word in range(TILE):
            some |= left[word] & ~digits[digit, word]
        if some == 0:
            fewest += 1 << digit
        else:
            for word in range(TILE):
                left[word] &= ~digits[digit, word]
    return fewest


@njit(cache=True, nogil=True)
def _lower(
    query: np.ndarray,
    points: np.ndarray,
    left: np.ndarray,
    tile: int,
    key: int,
    missing: int,
    alone: int,
    first: int,
    keys: np.ndarray,
    found: np.ndarray,
) -> None:
    """Add to the key what each row that is left differs by, and keep the smallest."""
    for word in range(TILE):
        bits = left[word]
        while bits:
            row = (tile * TILE + word) * 64 + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            if row >= len(points):  # the last tile may be longer than the rows
                return
            total = key
            for column in range(len(query)):
                mine, theirs = np.int64(query[column]), np.int64(points[row, column])
                if mine != theirs:
                    total += alone if mine == missing or theirs == missing else abs(mine - theirs)
            if total < keys[0]:
                keys[0] = total
                found[0] = first + row
