"""Rows as Spark carries them: blocks, each of which is a frame as an Arrow stream of a few MiB.

Spark knows neither unsigned numbers nor categories, and would take every row apart. To it, a block is one row with a
binary column, beside the number of the partition that it goes to.
"""

import math
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl

from shoal.backends.base import Columns

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BLOCKS", "blocks_of", "frames_of", "gathered"]

BLOCKS = "place int, block binary"
"""The columns of blocks, as Spark writes them."""

_BLOCK_BYTES = 1 << 22
_BATCH_BYTES = 1 << 25


def blocks_of(rows: pl.DataFrame, place: int = 0) -> "Iterator[pa.RecordBatch]":
    """Yield the blocks of rows, each as an Arrow batch of its own; no rows have none."""
    import pyarrow as pa  # whoever reads this file need not have it

    if not rows.height:
        return
    n = math.ceil(rows.estimated_size() / _BLOCK_BYTES) or 1
    for piece in rows.iter_slices(math.ceil(rows.height / n)):
        stream = BytesIO()
        piece.write_ipc_stream(stream)
        # not getbuffer: PyArrow 26 never lets go of a view, and a worker would keep every block that it ever made
        columns = [pa.array([place], pa.int32()), pa.array([stream.getvalue()], pa.binary())]
        yield pa.RecordBatch.from_arrays(columns, ["place", "block"])


def frames_of(batches: "Iterable[pa.RecordBatch]") -> Iterator[pl.DataFrame]:
    """Yield the frames of blocks."""
    for batch in batches:
        for block in batch.column("block"):
            yield pl.read_ipc_stream(block.as_py())


def gathered(frames: Iterable[pl.DataFrame], columns: Columns, *, whole: bool) -> Iterator[pl.DataFrame]:
    """Yield rows in batches of some 32 MiB, or all of them as one frame, also if there are none."""
    held: list[pl.DataFrame] = []
    size = 0
    for frame in frames:
        held.append(frame)
        size += frame.estimated_size()
        if size >= _BATCH_BYTES and not whole:
            yield pl.concat(held)
            held, size = [], 0
    if held:
        yield pl.concat(held)
    elif whole:
        yield pl.DataFrame(schema=columns)
