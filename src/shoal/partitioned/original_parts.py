"""The originals that a ledger keeps, in parts: all rows of the file in its order, where links find them by number.

Whoever has rows writes them, one part a batch. How rows are divided into batches is not determined, so that a part is
told by the number of its first row, and gets its name when all are there.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.backends import Backend, Columns
from shoal.data import Column, Microdata, Role
from shoal.io.folders.certificate_file import file_sha256
from shoal.io.folders.data_parts import DataPart
from shoal.io.folders.ledger import LINKS_FOLDER, ORIGINAL_FOLDER, complete_ledger
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.tables.values import typed_values

from .persons import Named, types_of_names
from .publish_table import PartitionedRelease
from .read_table import written_in
from .table import ROW, PartitionedTable
from .whole_parts import folders_of_parts, named_in_order, new_attempt
from .write_parts import refuse_lost

__all__ = ["write_partitioned_ledger"]


def write_partitioned_ledger(
    table: PartitionedTable,
    file: TabularFile,
    schema: TableSchema,
    made: PartitionedRelease,
    plan: str,
    certificate: str,
    folder: Path,
) -> None:
    """Complete a ledger in which the links are already; ``certificate`` is the SHA-256 of that of the release."""
    typed = {column.name: column.dtype for column in table.columns}
    person, written = [name for name in schema.person if name not in typed], written_in(file, schema)
    persons = types_of_names(table.backend.scan(file, *person), person, written) if person else {}
    understanding = _Understanding(schema, file.as_written, typed, Named(persons, written))
    parts = _written(file, understanding, table.backend, folder / ORIGINAL_FOLDER)
    nothing = understanding(pl.DataFrame(schema=file.scan.select(file.names).collect_schema()))
    empty = Microdata(_without_records(nothing, table, schema), unit=table.unit)
    kept = {ORIGINAL_FOLDER: parts, LINKS_FOLDER: made.links}
    complete_ledger(folder, schema_of(empty, schema), empty, made.report, plan, certificate, kept)


@dataclass(frozen=True)
class _Understanding:
    """Makes values of what is in a file as they were understood; other columns that stay are as they were written."""

    schema: TableSchema
    as_written: bool
    typed: dict[str, pl.DataType]
    persons: Named
    """What names people, so that whoever compares them with the release tells the same apart."""

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame([self._of(values) for values in rows.iter_columns()])

    def _of(self, values: pl.Series) -> pl.Series:
        if values.name in self.persons.types:
            return self.persons.of(values)
        schema, dtype = self.schema, self.typed.get(values.name)
        described = schema.columns[values.name]
        if dtype is None and described.role is not Role.WEIGHT:
            return typed_values(values, None, schema.null, as_written=False)
        wanted, dtype = ("number", pl.Float64()) if dtype is None else (described.type, dtype)
        return typed_values(values, wanted, schema.null, as_written=self.as_written, decimal=schema.decimal).cast(dtype)


def _written(file: TabularFile, understanding: _Understanding, backend: Backend, folder: Path) -> tuple[DataPart, ...]:
    """Write the rows of a file into a new folder, in their order."""
    scanned = backend.scan(file, *file.names, number=ROW)
    with folders_of_parts(folder):
        found = scanned.map_batches(_Write(understanding, folder), _WRITTEN).collect("keeping the originals")
        found = found.sort("first")
        begins = found["rows"].cum_sum().shift(1, fill_value=0)
        refuse_lost(file.rows, int(found["rows"].sum()) if found["first"].equals(begins) else -1)
        return named_in_order(folder, found)


_WRITTEN: Columns = {"first": pl.Int64(), "file": pl.String(), "rows": pl.Int64(), "sha256": pl.String()}


@dataclass(frozen=True)
class _Write:
    understanding: _Understanding
    folder: Path

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        if not batch.height:
            return pl.DataFrame(schema=dict(_WRITTEN))
        rows = self.understanding(batch.drop(ROW))
        with new_attempt(self.folder) as file:
            rows.write_parquet(file)
            written = [int(batch[ROW][0]), file.name, batch.height, file_sha256(file)]
        return pl.DataFrame([written], schema=dict(_WRITTEN), orient="row")


def _without_records(rows: pl.DataFrame, table: PartitionedTable, schema: TableSchema) -> tuple[Column, ...]:
    """Return the columns of the file, of which the schema of the ledger is made."""
    known: dict[str, Column] = {column.name: column for column in table.columns}
    others = (column for column in rows.iter_columns() if column.name not in known)
    known |= {each.name: Column.unencoded(each.name, schema.columns[each.name].role, each.clear()) for each in others}
    return tuple(known[name] for name in rows.columns)
