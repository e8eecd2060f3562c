"""The people from whom those of a table were drawn."""

from pathlib import Path

from shoal.data import Records, Role
from shoal.errors import WordingError
from shoal.io import Source
from shoal.io.contents import find_contents
from shoal.io.open_tabular import open_tabular
from shoal.io.schema import ColumnSchema, Schema, TableSchema

from .read import read

__all__ = ["read_population"]


def read_population(population: str | Path | Source, schema: Schema) -> Records:
    """Read the quasi-identifiers of a table whose schema is given from another file, which may have other columns.

    Values are understood as they are found: in a release a column of numbers may have become one of labels.
    """
    if not isinstance(schema, TableSchema):
        raise WordingError("Only tables are drawn from a population, and these data are ratings.")
    if isinstance(population, Source):
        return population.records
    names = open_tabular(find_contents(Path(population))[0], None).names
    known = {name for name, column in schema.columns.items() if column.role is Role.QUASI_IDENTIFIER}
    roles = {name: Role.QUASI_IDENTIFIER if name in known else Role.DROP for name in names}
    columns = {name: ColumnSchema(role=role) for name, role in roles.items()}
    return read(population, TableSchema(columns=columns, null=schema.null)).records
