"""The originals that a ledger keeps, in parts: all rows of the file in its order, where links find them by number."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from shoal.data import Column, Microdata, Role
from shoal.io.folders.data_parts import part_name
from shoal.io.folders.ledger import ORIGINAL_FOLDER, complete_ledger
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import TableSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.tables.values import typed_values
from shoal.io.write_errors import unwritable_as_error

from .publish_table import PartitionedRelease
from .table import PartitionedTable

__all__ = ["write_partitioned_ledger"]

_ROWS = 1 << 20
"""How many rows a part has, about."""


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
    columns = []
    with unwritable_as_error(folder):
        (folder / ORIGINAL_FOLDER).mkdir(mode=0o700)
        for number, rows in enumerate(_in_parts(file, schema, typed)):
            rows.write_parquet(folder / ORIGINAL_FOLDER / part_name(number))
            columns = columns or _without_records(rows, table, schema)
    empty = Microdata(tuple(columns), unit=table.unit)
    complete_ledger(folder, schema_of(empty, schema), empty, made.report, plan, certificate)


def _in_parts(file: TabularFile, schema: TableSchema, typed: dict[str, pl.DataType]) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file with the values that were understood; columns that stay are as they were written."""
    waiting: list[pl.DataFrame] = []
    for batch in file.batches(*file.names):
        waiting.append(pl.DataFrame([_understood(batch[name], file, schema, typed.get(name)) for name in file.names]))
        if sum(each.height for each in waiting) >= _ROWS:
            yield pl.concat(waiting)
            waiting = []
    if waiting:
        yield pl.concat(waiting)


def _understood(values: pl.Series, file: TabularFile, schema: TableSchema, dtype: pl.DataType | None) -> pl.Series:
    described = schema.columns[values.name]
    if dtype is None and described.role is not Role.WEIGHT:
        return typed_values(values, None, schema.null, as_written=False)
    wanted, dtype = ("number", pl.Float64()) if dtype is None else (described.type, dtype)
    return typed_values(values, wanted, schema.null, as_written=file.as_written, decimal=schema.decimal).cast(dtype)


def _without_records(rows: pl.DataFrame, table: PartitionedTable, schema: TableSchema) -> list[Column]:
    """Return the columns of the file, of which the schema of the ledger is made."""
    known: dict[str, Column] = {column.name: column for column in table.columns}
    others = (column for column in rows.iter_columns() if column.name not in known)
    known |= {each.name: Column.unencoded(each.name, schema.columns[each.name].role, each.clear()) for each in others}
    return [known[name] for name in rows.columns]
