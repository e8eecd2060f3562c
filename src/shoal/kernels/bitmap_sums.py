"""Add up, in the maximum norm, what belongs to the points within a radius: by bits."""

import numpy as np
from numba import njit, prange

from .bit_words import popcount, trailing_zeros
from .radius_bitmaps import TILE

__all__ = ["add_by_bitmaps"]

_CHUNK = 256


@njit(cache=True, nogil=True, parallel=True)
def add_by_bitmaps(
    queries: np.ndarray,
    rows: np.ndarray,
    tiles: np.ndarray,
    counts: np.ndarray,
    amounts: np.ndarray,
    enough: int,
    out: np.ndarray,
) -> None:
    """Add to out[q] the amounts of all points that are near query q in every column.

    rows, tiles and counts are the bitmaps of the points; amounts has a line for each point, or none where each point
    counts 1 and nothing else. There must be a column. A query is given up as soon as its first amount reaches enough.
    """
    n, width = queries.shape
    assert width > 0
    for chunk in prange((n + _CHUNK - 1) // _CHUNK):  # pyright: ignore[reportGeneralTypeIssues]
        order = np.arange(width)
        keys = np.empty(width, np.int64)
        live = np.empty(tiles.shape[2], np.uint64)
        left = np.empty(TILE, np.uint64)
        for q in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            if out[q, 0] >= enough:
                continue
            for column in range(width):
                keys[column] = counts[column, queries[q, column]]
            _sort(order, keys)
            _live_tiles(queries[q], tiles, live)
            for tile in range(rows.shape[2] // TILE):
                if (live[tile >> 6] >> np.uint64(tile & 63)) & np.uint64(1) and _intersect(
                    queries[q], order, rows, tile, left
                ):
                    _add(left, tile, amounts, out[q])
                    if out[q, 0] >= enough:
                        break


@njit(cache=True, nogil=True)
def _sort(order: np.ndarray, keys: np.ndarray) -> None:
    """Sort by insertion: the order of the query before is nearly right already."""
    for i in range(1, len(order)):
        moved = order[i]
        j = i - 1
        while j >= 0 and keys[order[j]] > keys[moved]:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = moved


@njit(cache=True, nogil=True)
def _live_tiles(query: np.ndarray, tiles: np.ndarray, live: np.ndarray) -> None:
    """Set the bits of the tiles that have, for every column, some row near the query."""
    live[:] = ~np.uint64(0)
    for column in range(len(query)):
        for word in range(len(live)):
            live[word] &= tiles[column, query[column], word]


@njit(cache=True, nogil=True)
def _intersect(query: np.ndarray, order: np.ndarray, rows: np.ndarray, tile: int, left: np.ndarray) -> bool:
    """Set the bits of the rows of a tile that are near the query in every column; say whether there is any."""
    begin = tile * TILE
    left[:] = ~np.uint64(0)
    for column in order:
        near = rows[column, query[column], begin : begin + TILE]
        some = np.uint64(0)
        for word in range(TILE):
            left[word] &= near[word]
            some |= left[word]
        if some == 0:
            return False
    return True


@njit(cache=True, nogil=True)
def _add(left: np.ndarray, tile: int, amounts: np.ndarray, total: np.ndarray) -> None:
    if len(amounts) == 0:
        found = np.int64(0)
        for word in range(TILE):
            found += popcount(left[word])
        total[0] += found
        return
    for word in range(TILE):
        bits = left[word]
        first = (tile * TILE + word) * 64
        while bits:
            row = first + trailing_zeros(bits)
            for amount in range(len(total)):
                total[amount] += amounts[row, amount]
            bits &= bits - np.uint64(1)
