"""People beside those of a table: those from whom they were drawn, or others who are not among them."""

from pathlib import Path

from shoal.data import Records, Role
from shoal.errors import WordingError
from shoal.io import Source
from shoal.io.contents import find_contents
from shoal.io.open_tabular import open_tabular
from shoal.io.schema import ColumnSchema, Schema, TableSchema

from .read import read

__all__ = ["read_outside", "read_population"]


def read_population(population: str | Path | Source, schema: Schema, person: tuple[str, ...] = ()) -> Records:
    """Read the quasi-identifiers of a table whose schema is given from another file, which may have other columns.

    ``person`` are the columns that name the person, where the schema is one of a release, which does not say it. Values
    are understood as they are found, since in a release a column of numbers may have become one of labels; where the
    table has text, they stay as they are written.
    """
    if not isinstance(schema, TableSchema):
        raise WordingError("Only tables are drawn from a population, and these data are ratings.")
    return _read(population, schema, frozenset({Role.QUASI_IDENTIFIER}), person or schema.person, as_written=True)


def read_outside(outside: str | Path | Source, schema: Schema) -> Records:
    """Read people who are not in a table whose schema is given: all columns that are published, if they are there."""
    if not isinstance(schema, TableSchema):
        raise WordingError("People outside are told beside tables, and these data are ratings.")
    known = frozenset({Role.QUASI_IDENTIFIER, Role.INSENSITIVE, Role.SENSITIVE})
    return _read(outside, schema, known, schema.person, as_written=False)


def _read(
    people: str | Path | Source,
    schema: TableSchema,
    roles_known: frozenset[Role],
    person: tuple[str, ...],
    *,
    as_written: bool,
) -> Records:
    if isinstance(people, Source):
        return people.records
    names = open_tabular(find_contents(Path(people))[0], None).names
    known = {name for name, column in schema.columns.items() if column.role in roles_known}
    roles = {name: Role.QUASI_IDENTIFIER if name in known else Role.DROP for name in names}
    of_text = {name for name in known if as_written and schema.columns[name].type == "text"}
    columns = {name: ColumnSchema(role=role, type="text" if name in of_text else None) for name, role in roles.items()}
    person = person if set(person) <= set(names) else ()
    return read(people, TableSchema(columns=columns, null=schema.null, person=person)).records
