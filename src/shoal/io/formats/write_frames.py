"""Write frames one after the other as one file, in the format that its name says."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from shoal.io.schemas import Schema
from shoal.io.write_errors import unwritable_as_error
from shoal.progress import stage

from .formula_escapes import escaped_cells
from .registry import writable_format

__all__ = ["Blocks", "write_frames"]

Blocks = Iterator[tuple[int, pl.DataFrame]]
"""Frames, each with how many records it completes; the first is empty and shows the columns."""


def write_frames(blocks: Blocks, records: int, path: str | Path, schema: Schema | None = None) -> None:
    """Write frames as one file of ``records`` records; the ending of the path chooses the format.

    The schema says how text is laid out, and whether cells that spreadsheets would take for formulas are escaped.
    """
    path = Path(path)
    format_ = writable_format(path)
    escape = format_.is_text and schema is not None and schema.escaped_formulas
    with unwritable_as_error(path), stage(f"writing {path.name}", records) as progress:
        format_.write(_frames(blocks, progress.advance, escape=escape), path, schema)


def _frames(blocks: Blocks, advance: Callable[[int], None], *, escape: bool) -> Iterator[pl.DataFrame]:
    for records, frame in blocks:
        yield escaped_cells(frame) if escape else frame
        advance(records)
