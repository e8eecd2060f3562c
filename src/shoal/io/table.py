"""A table: one person a line, one role a column."""

import polars as pl

from shoal.data import Column, Microdata
from shoal.errors import HierarchyError, InputError, SchemaError

from .built_hierarchy import built_hierarchy
from .schema import ColumnSchema, TableSchema
from .source import Source
from .tabular_file import TabularFile
from .values import typed_values

__all__ = ["read_table"]


def read_table(file: TabularFile, schema: TableSchema) -> Source:
    """Read a table, each column of which the schema must name."""
    file.refuse_if_empty()
    _refuse_other_columns(file, schema)
    columns = []
    notes = [f"Each line is one record of {len(file.names)} columns."]
    frame = file.frame(*file.names)
    for name in file.names:
        described = schema.columns[name]
        values = typed_values(frame[name], described.type, schema.null, as_written=file.as_written)
        frame = frame.drop(name)
        columns.append(_column(name, described, values, schema.null))
        missing = values.null_count()
        notes += [f"The column {name!r} has {missing:,} missing values."] if missing else []
    understood = _completed(schema, file, columns)
    return Source(Microdata(tuple(columns)), understood, (*file.notes, *notes), file.names)


def _refuse_other_columns(file: TabularFile, schema: TableSchema) -> None:
    unknown = [name for name in file.names if name not in schema.columns]
    absent = [name for name in schema.columns if name not in file.names]
    if len(unknown) == len(file.names):
        # perhaps the first line is a record: then its fields must not be told
        raise SchemaError(
            f"None of the columns the schema names is in {file.name}.",
            "Check the names and the delimiter, or say header = false and names = […] if there is no header line.",
        )
    if unknown:
        raise SchemaError(
            f"The schema gives no role to the column {unknown[0]!r} of {file.name}.",
            'Give every column a role; role = "drop" leaves a column out.',
        )
    if absent:
        raise SchemaError(f"{file.name} has no column {absent[0]!r}, which the schema names.", "Take it out there.")


def _column(name: str, described: ColumnSchema, values: pl.Series, null: tuple[float | str, ...]) -> Column:
    column = Column.encode(name, described.role, values, described.categories)
    if described.hierarchy is None:
        return column
    try:
        return column.with_hierarchy(built_hierarchy(described.hierarchy, column, null))
    except InputError as error:
        raise HierarchyError(f"Column {name!r}: {error.message}", error.cure) from None


def _completed(schema: TableSchema, file: TabularFile, columns: list[Column]) -> TableSchema:
    told = {column.name: schema.columns[column.name].model_copy(update={"type": _type(column)}) for column in columns}
    return schema.model_copy(update={"columns": told, **file.settings})


def _type(column: Column) -> str:
    if column.vocabulary.is_numeric:
        return "number"
    return "date" if column.vocabulary.is_ordered else "text"
