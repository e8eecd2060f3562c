"""For every column and value, which rows are near that value: as bits."""

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["TILE", "add_by_bitmaps", "popcount", "radius_bitmaps", "trailing_zeros"]


TILE = 32
"""Words in a tile: few enough to stay in the innermost cache, enough to make up for the loop around them."""


@compiled(parallel=True)
def radius_bitmaps(points: np.ndarray, n_values: int, radius: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return bits by column, value and row, bits by column, value and tile, and how many rows each pair has.

    A row's bit is set where its value in the column is at most radius from the value; a tile's bit where any of its
    rows' is.
    """
    n, width = points.shape
    n_tiles = (n + 64 * TILE - 1) // (64 * TILE)
    rows = np.zeros((width, n_values, n_tiles * TILE), np.uint64)
    tiles = np.zeros((width, n_values, (n_tiles + 63) // 64), np.uint64)
    counts = np.zeros((width, n_values), np.int64)
    for column in prange(width):
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


_CHUNK = 256


@compiled(parallel=True)
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
    for chunk in prange((n + _CHUNK - 1) // _CHUNK):
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


@compiled
def _sort(order: np.ndarray, keys: np.ndarray) -> None:
    """Sort by insertion: the order of the query before is nearly right already."""
    for i in range(1, len(order)):
        moved = order[i]
        j = i - 1
        while j >= 0 and keys[order[j]] > keys[moved]:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = moved


@compiled
def _live_tiles(query: np.ndarray, tiles: np.ndarray, live: np.ndarray) -> None:
    """Set the bits of the tiles that have, for every column, some row near the query."""
    live[:] = ~np.uint64(0)
    for column in range(len(query)):
        for word in range(len(live)):
            live[word] &= tiles[column, query[column], word]


@compiled
def _intersect(query: np.ndarray, order: np.ndarray, rows: np.ndarray, tile: int, left: np.ndarray) -> bool:
    """Set the bits of the rows of a tile that are near the query in every column; return whether there is any."""
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


@compiled
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


@compiled
def popcount(word: np.uint64) -> np.int64:
    """Count the bits that are set, in the form that compilers know and turn into one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def trailing_zeros(word: np.uint64) -> np.int64:
    """Return the place of the lowest bit that is set; there must be one."""
    lowest = word & (~word + np.uint64(1))
    return popcount(lowest - np.uint64(1))
