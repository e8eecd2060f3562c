"""Read data: from a file, a folder or a frame, or as they were read before."""

from pathlib import Path
from typing import Literal

from shoal import io
from shoal.data import Column, Microdata, Records, Role, kind_in_words, part_of
from shoal.errors import SchemaError, WordingError
from shoal.io import Data, Source
from shoal.io.formats import Location
from shoal.io.frames import open_data, to_read_again
from shoal.io.schema_beside import schema_beside, tell_taken
from shoal.io.schemas import ColumnSchema, GivenSchema, RatingsSchema, Schema, TableSchema, given_schema

__all__ = ["read", "read_outside", "read_population", "table_column"]


def read(
    data: Data,
    schema: GivenSchema | None = None,
    *,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
    sheet: str | None = None,
    query: str | None = None,
    format_in: str | None = None,
) -> io.Source:
    """Return the records of a file, a folder, another location or a frame, with what was understood of them.

    A schema may be given as an object, a file or a dict; a source that was read before is returned as it is, and takes
    neither a schema nor ``duplicates`` any more. ``sheet`` names that of a workbook, ``query`` is what to ask a
    database, and ``format_in`` the format of a file that is not recognized.
    """
    data = _located(data, sheet=sheet, query=query, format=format_in)
    if isinstance(data, io.Source):
        if schema is not None:
            raise WordingError("These data were read with a schema already.", "Give the file, or leave out the schema.")
        if duplicates != "refuse":
            raise WordingError(
                "These data were read already, and have no duplicates.", "Say what to do with duplicates in shoal.read."
            )
        return data
    return io.read(data, given_schema(schema), duplicates=duplicates)


def _located(data: Data, **asked: str | None) -> Data:
    said = {name: value for name, value in asked.items() if value is not None}
    if not said:
        return data
    if not isinstance(data, str | Path):
        raise WordingError(f"These data are not at a path, and have no {next(iter(said))}.", "Leave it out.")
    return Location(str(data), **said)


def read_population(population: Data, schema: Schema, person: tuple[str, ...] = ()) -> Records:
    """Read the observable columns of a table whose schema is given from another file, which may have other columns.

    ``person`` are the columns that name the person, where the schema is one of a release, which does not say it. Values
    are understood as they are found, since in a release a column of numbers may have become one of labels; where the
    table has text, they stay as they are written.
    """
    if not isinstance(schema, TableSchema):
        raise WordingError(f"Only tables are drawn from a population, and these data are {_kind(schema)}.")
    known = frozenset({Role.QUASI_IDENTIFIER, Role.STRATUM})
    return _read(population, schema, known, person or schema.person, as_written=True)


def read_outside(outside: Data, schema: Schema) -> Records:
    """Read people who are not in a table whose schema is given: all columns that are published, if they are there."""
    if not isinstance(schema, TableSchema):
        raise WordingError(f"People outside the data are compared with tables, and these data are {_kind(schema)}.")
    known = frozenset({Role.QUASI_IDENTIFIER, Role.STRATUM, Role.INSENSITIVE, Role.SENSITIVE})
    return _read(outside, schema, known, schema.person, as_written=False)


def _kind(schema: Schema) -> str:
    return kind_in_words("survey" if schema.columns else "ratings") if isinstance(schema, RatingsSchema) else "a table"


def _read(
    people: Data,
    schema: TableSchema,
    roles_known: frozenset[Role],
    person: tuple[str, ...],
    *,
    as_written: bool,
) -> Records:
    if isinstance(people, Source):
        return people.records
    held = to_read_again(people)
    names = open_data(held).names
    known = {name for name, column in schema.columns.items() if column.role in roles_known}
    roles = {name: Role.QUASI_IDENTIFIER if name in known else Role.DROP for name in names}
    of_text = {name for name in known if as_written and schema.columns[name].type == "text"}
    columns = {name: ColumnSchema(role=role, type="text" if name in of_text else None) for name, role in roles.items()}
    person = person if set(person) <= set(names) else ()
    return read(held, TableSchema(columns=columns, null=schema.null, person=person)).records


def table_column(
    data: Data, schema: GivenSchema | None, name: str, *, hierarchy: bool = False
) -> tuple[Column, TableSchema]:
    """Read a column and the schema of its table, without the hierarchies that the schema declares.

    They may be what is to be made or mended. Only that of the column itself is built, if asked for.
    """
    beside = schema_beside(data) if schema is None else None
    if beside is not None:
        tell_taken(beside)
    schema = given_schema(schema or beside)
    if schema is not None:
        schema = _without_hierarchies(schema, but=name if hierarchy else None)
    source = read(data, schema)
    table = part_of(source.records, "demographics")
    if not isinstance(table, Microdata):
        raise SchemaError(
            "Only the columns of a table have hierarchies, and these data are ratings.",
            'If they are a table, write a schema with kind = "table" and a role a column.',
        )
    return table[name], _of_table(source.schema)


def _of_table(schema: Schema) -> TableSchema:
    """Return the schema of a table; of a survey, that of its demographics."""
    if isinstance(schema, TableSchema):
        return schema
    return TableSchema(columns=schema.columns, null=(schema.attributes or schema).null)


def _without_hierarchies(schema: Schema, but: str | None) -> Schema:
    columns = {
        name: column if name == but else column.model_copy(update={"hierarchy": None})
        for name, column in schema.columns.items()
    }
    return schema.model_copy(update={"columns": columns})
