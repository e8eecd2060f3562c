"""For every column and value, which rows are near that value: as bits."""

import numpy as np
from numba import njit, prange

from .bit_words import popcount

__all__ = ["TILE", "radius_bitmaps"]

TILE = 32
"""Words in a tile: few enough to stay in the innermost cache, enough to make up for the loop around them."""


@njit(cache=True, nogil=True, parallel=True)
def radius_bitmaps(points: np.ndarray, n_values: int, radius: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give bits by column, value and row, bits by column, value and tile, and how many rows each pair has.

    A row's bit is set where its value in the column is at most radius from the value; a tile's bit where any of its
    rows' is.
    """
    n, width = points.shape
    n_tiles = (n + 64 * TILE - 1) // (64 * TILE)
    rows = np.zeros((width, n_values, n_tiles * TILE), np.uint64)
    tiles = np.zeros((width, n_values, (n_tiles + 63) // 64), np.uint64)
    counts = np.zeros((width, n_values), np.int64)
    for column in prange(width):  # pyright: ignore[reportGeneralTypeIssues]
        for i in range(n):
            value = np.int64(points[i, column])
            bit = np.uint64(1) << np.uint64(i & 63)
            for near in range(max(0, value - radius), min(n_values, value + radius + 1)):
                rows[column, near, i >> 6] |= bit
        for value in range(n_values):
            for tile in range(n_tiles):
                found = np.int64(0)
                for word in range(tile * TILE, (tile + 1) * TILE):
                    found += popcount(rows[column, value, word])
                counts[column, value] += found
                if found:
                    tiles[column, value, tile >> 6] |= np.uint64(1) << np.uint64(tile & 63)
    return rows, tiles, counts
