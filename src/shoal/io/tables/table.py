"""Tables: one record a line, one role a column, and the person each record belongs to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal.assumed import assume
from shoal.data import Column, Microdata, Role
from shoal.errors import DataError, HierarchyError, InputError, SchemaError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.hierarchies.file import built_hierarchy
from shoal.io.nearest_name import nearest_name
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.source import Source
from shoal.kernels.numbering import distinct_keys
from shoal.peak_memory import memory_there_is
from shoal.progress import stage

from .sample_columns import notes_on_sample, refuse_unfit_for_sample, weight_classes
from .values import encoded_values, nearly_numbers, typed_values

__all__ = ["read_columns", "read_table", "refuse_other_columns", "refuse_repeating", "with_types"]


def read_table(file: TabularFile, schema: TableSchema) -> Source:
    """Read a table; the schema must name each of its columns."""
    columns, missing = read_columns(file, schema)
    notes = [f"Each line is one record of {len(file.names)} columns.", *missing]
    table = _of_people(Microdata((*columns, *weight_classes(columns, schema.weight_classes))), schema)
    notes += notes_on_sample(table)
    if table.persons is not None:
        notes.append(f"There are {table.n_people:,} people with {len(table):,} records: promises count people.")
    else:
        notes += _notes_on_unit(table, schema)
    return Source(table, _completed(schema, file, columns), (*file.notes, *notes), file.names, file=file)


_NOT_LOOKED_AT = (Role.IDENTIFIER, Role.DROP)
"""Columns that nothing but the ledger and the desk looks at: they are encoded when it does."""


def read_columns(file: TabularFile, schema: TableSchema) -> tuple[tuple[Column, ...], list[str]]:
    """Return the columns of a file as the schema describes them, and notes on those with missing values."""
    file.refuse_if_empty()
    refuse_other_columns(file, schema)
    _refuse_beyond_memory(file)
    columns, notes = [], []
    frame = file.frame(*file.names)
    with stage("encoding columns", len(file.names)) as progress:
        for name in file.names:
            column = _column(frame[name], schema, as_written=file.as_written)
            frame = frame.drop(name)
            columns.append(column)
            notes += _notes_on_column(column, schema, as_written=file.as_written)
            progress.advance()
    return tuple(columns), notes


_VALUE_BYTES = 8
"""How much memory a value takes at least while it is read: as it came, and as a code."""


def _refuse_beyond_memory(file: TabularFile) -> None:
    """Refuse a table that certainly does not fit into memory, before the system ends this process without a word."""
    needed, there_is = file.rows * len(file.names) * _VALUE_BYTES, memory_there_is()
    if needed > there_is:
        raise DataError(
            f"{file.name} takes at least {needed >> 20:,} MiB in memory, and there are {there_is >> 20:,} MiB.",
            "check, publish, verify and limits can leave a table on disk (--engine stream); for everything else, take "
            "a sample of it, or a machine with more memory.",
        )


def _notes_on_column(column: Column, schema: TableSchema, *, as_written: bool) -> list[str]:
    """Refuse a column that its role does not allow; say what is assumed of it, and how many values are missing."""
    is_open = as_written and schema.columns[column.name].type is None and column.is_encoded
    doubt = nearly_numbers(column) if is_open else None
    refuse_unfit_for_sample(column)
    missing = column.n_missing
    return [
        *([] if doubt is None else [assume(doubt)]),
        *([f"The column {column.name!r} has {missing:,} missing values."] if missing else []),
    ]


def _of_people(table: Microdata, schema: TableSchema) -> Microdata:
    """Return the table with the person of each record; refuse one in which that is ambiguous."""
    if schema.unit == "record":
        return replace(table, unit="record")
    if schema.person:
        persons = _persons(table, schema.person)
        return table if persons is None else replace(table, persons=persons)
    for column in table.with_role(Role.IDENTIFIER):
        refuse_repeating(column.name, column.n_repeating, len(column))
    return table


def _notes_on_unit(table: Microdata, schema: TableSchema) -> list[str]:
    """Say what is assumed where every record counts as one person."""
    if table.unit == "record":
        return ["Promises count records; a person may have several of them."]
    # unless the schema names the person, identifiers that repeat were refused
    repeating = [each.name for each in table.with_role(Role.IDENTIFIER) if schema.person and each.n_repeating]
    if repeating:
        return [
            f"By 'person' every record belongs to a different person, although the identifier {repeating[0]!r} repeats."
        ]
    named = bool(schema.person or schema.people) or bool(table.with_role(Role.IDENTIFIER))
    return [] if named else ["No column names the person: every record is assumed to belong to a different person."]


def _persons(table: Microdata, names: tuple[str, ...]) -> np.ndarray | None:
    """Number the people; None where every record belongs to a different one."""
    persons, found = np.zeros(len(table), np.int64), 1
    for name in names:
        missing = int(table[name].values.null_count())
        if missing:
            raise DataError(
                f"The column {name!r} names the person, and {missing:,} records have no value in it.",
                "Fill it, leave those records out, or name another column.",
            )
        persons, found = distinct_keys(persons * len(table[name].vocabulary) + table[name].codes)
    return persons if found < len(table) else None


def refuse_repeating(name: str, repeating: int, n_records: int) -> None:
    """Refuse an identifier that repeats while the schema does not say whether people have several records."""
    if repeating:
        raise SchemaError(
            f"The identifier {name!r} repeats: {repeating:,} of {n_records:,} records share its value with "
            "another record. If these belong to one person, promises must count people.",
            f'Say person = "{name}" (or the columns that name the person) at the top of the schema; or '
            'unit = "record" to protect records, even where several belong to one person.',
        )


def refuse_other_columns(file: TabularFile, schema: TableSchema) -> None:
    """Refuse a file that has other columns than the schema names."""
    unknown = [name for name in file.names if name not in schema.columns]
    absent = [name for name in schema.columns if name not in file.names]
    if len(unknown) == len(file.names):
        # perhaps the first line is a record: its fields must then not be printed
        raise SchemaError(
            f"{file.name} has none of the columns that the schema names.",
            "Check the names and the delimiter, or say header = false and names = […] if there is no header line.",
        )
    if unknown:
        raise SchemaError(
            f"The schema gives no role to the column {unknown[0]!r} of {file.name}.",
            f'{nearest_name(unknown[0], absent)}Give every column a role; role = "drop" leaves a column out.',
        )
    if absent:
        raise SchemaError(
            f"{file.name} has no column {absent[0]!r}, which the schema names.",
            f"Remove [columns.{absent[0]}] from the schema.",
        )


def _column(values: pl.Series, schema: TableSchema, *, as_written: bool) -> Column:
    name, described = values.name, schema.columns[values.name]

    def typed(some: pl.Series) -> pl.Series:
        return typed_values(some, described.type, schema.null, as_written=as_written, decimal=schema.decimal)

    is_looked_at = described.role not in _NOT_LOOKED_AT or name in schema.person
    if not is_looked_at and described.hierarchy is None and not described.categories:
        return Column.unencoded(name, described.role, typed(values))
    vocabulary, codes = encoded_values(values, typed)
    column = Column(name, described.role, vocabulary, codes, None, described.categories)
    if described.hierarchy is None:
        return column
    try:
        return column.with_hierarchy(built_hierarchy(described.hierarchy, column, schema.null))
    except InputError as error:
        raise HierarchyError(f"Column {name!r}: {error.message}", error.cure) from None


def _completed(schema: TableSchema, file: TabularFile, columns: Sequence[Column]) -> TableSchema:
    labels = {**file.labels, **schema.labels}
    return schema.model_copy(update={"columns": with_types(schema.columns, columns), "labels": labels, **file.settings})


def with_types(described: Mapping[str, ColumnSchema], columns: Sequence[Column]) -> dict[str, ColumnSchema]:
    """Return the descriptions of columns with the types that were found."""
    return {column.name: described[column.name].model_copy(update={"type": _type(column)}) for column in columns}


def _type(column: Column) -> str:
    if column.dtype.is_numeric():
        return "number"
    return "date" if column.dtype.is_temporal() else "text"
