"""Write frames to CSV or Parquet, one after the other."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
from polars.io.plugins import register_io_source

from shoal.errors import FileError
from shoal.progress import stage

from .formula_cells import escaped_cells
from .told_as_unwritable import told_as_unwritable

__all__ = ["Blocks", "refuse_other_formats", "write_frames"]

Blocks = Iterator[tuple[int, pl.DataFrame]]
"""Frames with how many records each completes; the first is empty and shows the columns."""


def write_frames(
    blocks: Blocks, records: int, path: str | Path, *, delimiter: str = ",", header: bool = True, escaped: bool = False
) -> None:
    """Write frames as one file; the suffix of the path chooses the format: ``.csv`` or ``.parquet``.

    ``escaped`` says whether what spreadsheets would take for formulas is escaped in text; Parquet needs no such thing.
    """
    path = Path(path)
    refuse_other_formats(path)
    with told_as_unwritable(path), stage(f"writing {path.name}", records) as progress:
        if path.suffix == ".csv":
            told = ((each, escaped_cells(frame)) for each, frame in blocks) if escaped else blocks
            _write_csv(told, path, progress.advance, delimiter=delimiter, header=header)
        else:
            _write_parquet(blocks, path, progress.advance)


def refuse_other_formats(path: Path) -> None:
    """Refuse a name that says neither CSV nor Parquet."""
    if path.suffix not in (".csv", ".parquet"):
        raise FileError(f"{path} names no format.", "Let the name end in .csv or .parquet.")


def _write_csv(blocks: Blocks, path: Path, advance: Callable[[int], None], *, delimiter: str, header: bool) -> None:
    with path.open("wb") as file:
        for i, (records, frame) in enumerate(blocks):
            frame.write_csv(file, include_header=i == 0 and header, separator=delimiter)
            advance(records)


def _write_parquet(blocks: Blocks, path: Path, advance: Callable[[int], None]) -> None:
    columns = next(blocks)[1]

    def frames(*_wishes: object) -> Iterator[pl.DataFrame]:
        # what a source may be asked for (columns, rows, batch sizes) is never asked for by a sink
        for records, frame in blocks:
            yield frame
            advance(records)

    # the first level of zstd packs ratings as well as the others; and nobody asks for a range of pseudonyms
    packed = {"compression": "zstd", "compression_level": 1, "statistics": False, "row_group_size": 1 << 19}
    register_io_source(frames, schema=columns.schema).sink_parquet(path, **packed)
