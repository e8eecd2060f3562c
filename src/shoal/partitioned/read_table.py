"""Read a table without bringing its records into memory."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from shoal.assumed import assume
from shoal.backends import Backend, Partitions
from shoal.data import Column, CountedColumn, Role
from shoal.errors import DataError, HierarchyError, InputError, SchemaError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.hierarchies.file import built_hierarchy
from shoal.io.schemas import TableSchema
from shoal.io.tables.profile_sizes import unfit_people
from shoal.io.tables.sample_columns import refuse_unfit_for_sample
from shoal.io.tables.table import refuse_other_columns, refuse_repeating, with_types
from shoal.io.tables.values import nearly_numbers, typed_values

from .coded_columns import Coding, coded, encode_batches
from .column_values import values_of_columns
from .people.stated_file import StatedFile, with_fitting_people
from .persons import (
    PERSON,
    Named,
    Written,
    count_people,
    missing_values,
    named,
    number_persons,
    repeating_values,
    types_of_names,
)
from .sample_columns import refuse_unfit_sample_columns
from .table import ROW, PartitionedTable, coded_name

__all__ = ["read_partitioned_table", "written_in"]


def read_partitioned_table(
    file: TabularFile,
    schema: TableSchema,
    backend: Backend,
    *,
    numbered: bool = False,
    pseudonyms: str | None = None,
) -> tuple[PartitionedTable, TableSchema]:
    """Return the table and its schema with the types that were found; records are counted, and stay where they are.

    If they are ``numbered``, each has the number of its row in the file. Of a release that states numbers of people,
    each has its pseudonym in a column ``pseudonyms``, if that is asked for.
    """
    file.refuse_if_empty()
    refuse_other_columns(file, schema)
    _refuse_weight_classes(schema)
    refuse_unfit_sample_columns(file, schema, written_in(file, schema), backend)
    names = [name for name in file.names if schema.columns[name].role.leaves]
    found = values_of_columns(backend, file, names)
    columns, codings, notes = [], [], list(file.notes)
    for place, name in enumerate(names):
        values, records = found[name]["value"], found[name]["records"].to_numpy()
        column, codes, remarks = _typed(name, values, records, file, schema)
        codings.append(coded(name, coded_name(place), values, codes, len(column.vocabulary)))
        columns.append(column)
        notes += remarks
    stated = _stated_file(schema, backend, pseudonyms)
    rows, n_people = _of_people(file, schema, backend, codings, ROW if numbered else None, stated)
    table = PartitionedTable(tuple(columns), rows, file.rows, n_people, backend, schema.unit or "person", tuple(notes))
    if stated is not None:
        table = with_fitting_people(table, stated)
    completed = {**schema.columns, **with_types(schema.columns, columns)}
    return table, schema.model_copy(update={"columns": completed, **file.settings})


def _refuse_weight_classes(schema: TableSchema) -> None:
    if schema.weight_classes is not None:
        raise SchemaError(
            "Classes of weights are made of records in memory.",
            "Leave out weight_classes, or read the table into memory (--engine local).",
        )


def _typed(
    name: str, values: pl.Series, records: np.ndarray, file: TabularFile, schema: TableSchema
) -> tuple[CountedColumn, np.ndarray, list[str]]:
    """Return a column, the code of each value that it has in the file, and what is to be said of it."""
    described = schema.columns[name]
    typed = typed_values(
        values.rename(name), described.type, schema.null, as_written=file.as_written, decimal=schema.decimal
    )
    encoded = Column.encode(name, described.role, typed, described.categories)
    column = CountedColumn.of(encoded, np.bincount(encoded.codes, records, minlength=len(encoded.vocabulary)))
    if described.hierarchy is not None:
        try:
            column = column.with_hierarchy(built_hierarchy(described.hierarchy, column, schema.null))
        except InputError as error:
            raise HierarchyError(f"Column {name!r}: {error.message}", error.cure) from None
    refuse_unfit_for_sample(column)
    doubt = nearly_numbers(column) if file.as_written and described.type is None else None
    missing = int(records[typed.is_null().to_numpy()].sum())
    remarks = [] if doubt is None else [assume(doubt)]
    return (
        column,
        encoded.codes,
        remarks + ([f"The column {name!r} has {missing:,} missing values."] if missing else []),
    )


def _of_people(
    file: TabularFile,
    schema: TableSchema,
    backend: Backend,
    codings: Sequence[Coding],
    number: str | None,
    stated: StatedFile | None,
) -> tuple[Partitions, int]:
    """Return the codes of records, with the person of each where people have several; and how many people there are.

    Of a release, numbers of people that are ``stated`` are at the records that name classes.
    """
    coded_names, others = [coding.name for coding in codings], () if number is None else (number,)
    scanned = backend.scan(file, *(coded_names or file.names[:1]), number=number)
    rows = encode_batches(backend, scanned, codings, others)
    if schema.unit == "record":
        return rows, file.rows
    if schema.person:
        return _numbered(file, schema, backend, codings, number)
    identifiers = [name for name, described in schema.columns.items() if described.role is Role.IDENTIFIER]
    for name in identifiers:
        own = named(backend.scan(file, name), (name,), written_in(file, schema))
        refuse_repeating(name, repeating_values(own, name, file.rows), file.rows)
    if stated is None:
        return rows, file.rows
    if len(identifiers) != 1:
        raise unfit_people(stated.path)
    scanned = encode_batches(
        backend, backend.scan(file, *coded_names, *identifiers, number=number), codings, (*identifiers, *others)
    )
    kept = named(scanned, identifiers, written_in(file, schema))
    return stated.found(kept, identifiers[0]), file.rows


def _stated_file(schema: TableSchema, backend: Backend, pseudonyms: str | None) -> StatedFile | None:
    if schema.people is None:
        return None
    sensitive = [name for name, described in schema.columns.items() if described.role is Role.SENSITIVE]
    return StatedFile(Path(schema.people), backend, tuple(sensitive), pseudonyms)


def _numbered(
    file: TabularFile, schema: TableSchema, backend: Backend, codings: Sequence[Coding], number: str | None
) -> tuple[Partitions, int]:
    names, others = schema.person, () if number is None else (number,)
    scanned = backend.scan(file, *dict.fromkeys([*(coding.name for coding in codings), *names]), number=number)
    alone, written = backend.scan(file, *names), written_in(file, schema)
    naming = Named(types_of_names(alone, names, written), written)  # one look at them, for both
    _refuse_missing(naming.within(alone), names)
    people = naming.within(encode_batches(backend, scanned, codings, (*names, *others)))
    rows = number_persons(people, names, file.rows).persist("numbering people")
    n_people = count_people(rows)
    if n_people < file.rows:
        return rows, n_people
    without_person = {name: dtype for name, dtype in rows.columns.items() if name != PERSON}
    return rows.map_batches(_WithoutPerson(), without_person), n_people


def written_in(file: TabularFile, schema: TableSchema) -> Written:
    """Return how values are written in a file."""
    types = {name: described.type for name, described in schema.columns.items()}
    return Written(tuple(schema.null), file.as_written, schema.decimal, types)


class _WithoutPerson:
    """Leaves out whose records they are, as everybody has one."""

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.drop(PERSON)


def _refuse_missing(rows: Partitions, names: Sequence[str]) -> None:
    for name, missing in zip(names, missing_values(rows, names), strict=True):
        if missing:
            raise DataError(
                f"The column {name!r} names the person, and {missing:,} records have no value in it.",
                "Fill it, leave those records out, or name another column.",
            )
