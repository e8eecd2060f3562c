"""Parquet: typed columns, written in compressed row groups."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl
from polars.io.plugins import register_io_source

from shoal.errors import SchemaError
from shoal.io.formats.base import Format
from shoal.io.formats.contents import Contents
from shoal.io.formats.registry import formats
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.schemas import Schema

__all__ = ["Parquet"]


@formats.add
@dataclass(frozen=True)
class Parquet(Format):
    """Typed columns in compressed row groups."""

    name: ClassVar[str] = "parquet"
    title: ClassVar[str] = "Parquet"
    endings: ClassVar[tuple[str, ...]] = (".parquet", ".pq")
    keeps_types: ClassVar[bool] = True

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether this is, or is named as, a Parquet file."""
        return contents.head(4) == b"PAR1" or super().recognizes(contents)

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:  # noqa: ARG002 - the file has its own
        """Read the names and types of the columns; nested columns are refused."""
        with faults_of(contents.name):
            scan = pl.scan_parquet(contents.source, glob=False)  # a name may have brackets
            types = scan.collect_schema()
            rows = int(scan.select(pl.len()).collect().item())
        for name, dtype in types.items():
            if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
                raise SchemaError(f"The column {name!r} of {contents.name} is not of a simple type.", "Leave it out.")
        if not types:
            raise SchemaError(f"{contents.name} has no columns.")
        notes = (*contents.notes, "It is a Parquet file.")
        return TabularFile(contents.name, tuple(types), scan, rows, False, notes, types=dict(types))

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:  # noqa: ARG002
        """Let Polars pull the frames one by one while it writes those before."""
        columns = next(frames)
        # a sink never uses what a source may be asked for: columns, rows, batch sizes
        source = register_io_source(lambda *_wishes: frames, schema=columns.schema)
        # the first level of zstd packs ratings as well as the others; and nobody asks for a range of pseudonyms
        source.sink_parquet(path, compression="zstd", compression_level=1, statistics=False, row_group_size=1 << 19)
