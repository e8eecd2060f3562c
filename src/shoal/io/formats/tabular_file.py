"""A file with named columns, whatever its format, read in batches."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from shoal.errors import DataError, FileError
from shoal.io.schemas import ColumnLabels
from shoal.progress import stage

__all__ = ["TabularFile", "faults_of"]

_BATCH = 1 << 20


@dataclass(frozen=True)
class TabularFile:
    """Named columns and how to read them; nothing is read before it is asked for."""

    name: str
    names: tuple[str, ...]
    scan: pl.LazyFrame
    rows: int
    as_written: bool
    """Whether all fields are text exactly as written, so that their types are still to be found."""
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a schema that were recognized while opening: delimiter, header, …"""
    types: Mapping[str, pl.DataType] = field(default_factory=dict)
    """The types that columns came in, where they had any: published ones get them back if their values allow it."""
    labels: Mapping[str, ColumnLabels] = field(default_factory=dict)
    """What columns and their codes are called, where the file says it."""
    parts: tuple[tuple[pl.LazyFrame, int], ...] = ()
    """The rows of each file that it is made of, and how many; empty if of one. Whoever changes the scan clears it."""

    def __repr__(self) -> str:
        return f"TabularFile({self.name!r}, {len(self.names)} columns, {self.rows:,} rows)"

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield these columns in batches of rows, in file order."""
        seen = 0
        with stage(f"reading {self.name}", self.rows) as progress, faults_of(self.name):
            chosen = self.scan.select(pl.col(*columns))
            for batch in chosen.collect_batches(chunk_size=_BATCH, maintain_order=True):
                seen += batch.height
                progress.advance(batch.height)
                yield batch
        if seen != self.rows:
            raise FileError(f"{self.name} could not be read completely.", "Check that it is not damaged.")

    def frame(self, *columns: str) -> pl.DataFrame:
        """Return these columns at once."""
        return pl.concat(list(self.batches(*columns)), rechunk=True)

    def refuse_if_empty(self) -> None:
        """Refuse a file that has columns but no record."""
        if self.rows == 0:
            raise DataError(f"{self.name} has a header but no records.", "Give a file with records.")


@contextmanager
def faults_of(name: str) -> Iterator[None]:
    """Report whatever goes wrong in Polars as an error of the file, without its message, which may quote the data."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, UnicodeError, ValueError, OverflowError):
        raise FileError(
            f"{name} is damaged, truncated or not of the format its name says.", "Make or fetch it again."
        ) from None
