"""The rows of a DataFrame of Spark with numbers by which a ledger names them: its rows, written once.

A DataFrame has no order, and whoever computes it again may get another. So where its rows must have numbers, they are
written to files in the folder of the ledger, by whoever has them, and everything is made of these. They are gone when
the block ends.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.backends import Backend, Columns
from shoal.io.folders.certificate_file import file_sha256
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.write_errors import unwritable_as_error

from .whole_parts import folders_of_parts, named_in_order, new_attempt
from .write_parts import refuse_lost

__all__ = ["numbered_rows"]

_ROWS = "rows"


@contextmanager
def numbered_rows(file: TabularFile, backend: Backend, ledger: Path) -> Iterator[TabularFile]:
    """Yield the rows of a file from files in the folder of a ledger, where each has a number."""
    folder = ledger.absolute() / _ROWS  # executors run in folders of their own
    with folders_of_parts(folder):
        found = backend.scan(file, *file.names).map_batches(_Write(folder), _WRITTEN).collect("numbering rows")
        refuse_lost(file.rows, int(found["rows"].sum()))
        parts = named_in_order(folder, found)
    scan = pl.scan_parquet([folder / part.file for part in parts]) if parts else file.scan
    yield TabularFile(file.name, file.names, scan, file.rows, as_written=False, notes=file.notes, types=file.types)
    with unwritable_as_error(folder):
        shutil.rmtree(folder)


_WRITTEN: Columns = {"file": pl.String(), "rows": pl.Int64(), "sha256": pl.String()}


@dataclass(frozen=True)
class _Write:
    folder: Path

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        if not batch.height:
            return pl.DataFrame(schema=dict(_WRITTEN))
        with new_attempt(self.folder) as file:
            batch.write_parquet(file)
            written = [file.name, batch.height, file_sha256(file)]
        return pl.DataFrame([written], schema=dict(_WRITTEN), orient="row")
