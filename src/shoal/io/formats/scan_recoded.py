"""Scan delimited text in another encoding: decoded, cut into whole records and read block by block."""

from collections.abc import Iterator
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from .encodings import Recoded

__all__ = ["scan_recoded"]


def scan_recoded(
    contents: Recoded, names: tuple[str, ...], rows: int, skip: int, *, header: bool, **reading: Any
) -> pl.LazyFrame:
    """Return a frame that is read when it is asked for; ``reading`` are settings of :func:`polars.read_csv`."""

    def frames() -> Iterator[pl.DataFrame]:
        left, first, quotes = rows, True, reading["quote_char"] is not None
        for records in _whole_records(_without_lines(contents.blocks(), skip), quotes=quotes):
            frame = pl.read_csv(
                records, has_header=header and first, new_columns=list(names), infer_schema=False, **reading
            ).head(left)
            left, first = left - frame.height, False
            yield frame

    def source(
        columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        left = rows if n_rows is None else n_rows
        for frame in frames():
            part = frame.head(left)
            left -= part.height
            part = part if columns is None else part.select(columns)
            yield part if predicate is None else part.filter(predicate)
            if left <= 0:
                return

    return register_io_source(source, schema=dict.fromkeys(names, pl.String))


def _without_lines(blocks: Iterator[bytes], lines: int) -> Iterator[bytes]:
    for block in blocks:
        rest = block
        while lines and rest:
            _, found, rest = rest.partition(b"\n")
            lines -= len(found)
        yield rest


def _whole_records(blocks: Iterator[bytes], *, quotes: bool) -> Iterator[bytes]:
    """Yield blocks that end where a record ends: at a line end with an even number of quotes before it."""
    rest = b""
    for block in blocks:
        text = rest + block
        end = text.rfind(b"\n")
        while quotes and end >= 0 and text.count(b'"', 0, end) % 2:
            end = text.rfind(b"\n", 0, end)
        if end >= 0:
            yield text[: end + 1]
        rest = text[end + 1 :]
    if rest:
        yield rest
