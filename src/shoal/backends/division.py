"""How rows are divided into partitions: how many there are, and which row goes where."""

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from .base import Columns

__all__ = ["METHOD_BYTES", "WORKING_COPIES", "n_partitions", "row_bytes", "scattered"]

WORKING_COPIES = 8
"""How much memory the work on a partition takes, as a multiple of its rows: they are sorted, numbered and counted."""
METHOD_BYTES = 400
"""How much memory a method that works in memory takes for a record, in bytes."""
_TEXT_BYTES = 24


def n_partitions(rows: int, columns: Columns, memory: float) -> int:
    """Return how many partitions rows are divided into, so that each can be worked on in so many bytes of memory."""
    return max(1, math.ceil(rows * row_bytes(columns) * WORKING_COPIES / memory))


def row_bytes(columns: Columns) -> int:
    """Return about how many bytes a row takes."""
    return sum(_BYTES.get(dtype.base_type(), _TEXT_BYTES) for dtype in columns.values())


_BYTES: dict[object, int] = {
    **dict.fromkeys((pl.UInt8, pl.Int8, pl.Boolean), 1),
    **dict.fromkeys((pl.UInt16, pl.Int16), 2),
    **dict.fromkeys((pl.UInt32, pl.Int32, pl.Float32, pl.Date), 4),
    **dict.fromkeys((pl.UInt64, pl.Int64, pl.Float64, pl.Datetime), 8),
}

_MIXER = np.uint64(0x9E3779B97F4A7C15)


def scattered(rows: pl.DataFrame, by: str, n: int) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield the number of each of n partitions with its rows, if it has any.

    Rows go by their key, which is mixed first, as neighboring ones would fall together.
    """
    if n == 1:
        yield 0, rows
        return
    mixed = (rows[by].to_numpy() * _MIXER) >> np.uint64(32)
    places = ((mixed * np.uint64(n)) >> np.uint64(32)).astype(np.uint16 if n <= 1 << 16 else np.uint32)
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=n))
    gathered, begin = rows[order], 0
    for place, end in enumerate(ends.tolist()):
        if end > begin:
            yield place, gathered[begin:end]
        begin = end
