"""Workbooks of Excel, and of OpenDocument: one sheet is a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from shoal.io.formats.base import Format
from shoal.io.formats.contents import Contents
from shoal.io.formats.faithful import refuse_unfaithful
from shoal.io.formats.registry import formats
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import Schema

from .sheet import read_sheet
from .write_sheet import writable_cells, write_sheet

__all__ = ["Excel"]


@formats.add
@dataclass(frozen=True)
class Excel(Format):
    """Workbooks of Excel; those of OpenDocument are only read."""

    name: ClassVar[str] = "excel"
    title: ClassVar[str] = "Excel"
    endings: ClassVar[tuple[str, ...]] = (".xlsx", ".xls", ".xlsb", ".xlsm", ".ods")
    streamed: ClassVar[bool] = False
    selected_by: ClassVar[str | None] = "sheet"

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether a file is named so, or is a zip archive: only workbooks are still packed here."""
        return contents.head(4) == b"PK\x03\x04" or super().recognizes(contents)

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        """Read the sheet that is asked for, or the only one."""
        return read_sheet(contents, schema)

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:  # noqa: ARG002
        """Write one sheet of text, numbers and dates, and never a formula."""
        data = writable_cells(pl.concat(list(frames)))
        write_sheet(data, path)
        refuse_unfaithful(data, self.open(Contents(path.name, path, None), None), self.title)
