"""One column of a table, to build or to judge a hierarchy of it."""

from pathlib import Path

from shoal.data import Column, Microdata
from shoal.errors import SchemaError
from shoal.io import Source
from shoal.io.schema import Schema, TableSchema, read_schema

from .read import read

__all__ = ["table_column"]


def table_column(
    data: str | Path | Source, schema: Schema | str | Path | None, name: str, *, hierarchy: bool = False
) -> tuple[Column, TableSchema]:
    """Read a column and the schema of its table, without the hierarchies that the schema declares.

    They may be what is to be made or mended. Only that of the column itself is built, if asked for.
    """
    if isinstance(schema, str | Path):
        schema = read_schema(schema)
    if isinstance(schema, TableSchema):
        schema = _without_hierarchies(schema, but=name if hierarchy else None)
    source = read(data, schema)
    if not isinstance(source.records, Microdata) or not isinstance(source.schema, TableSchema):
        raise SchemaError("Only the columns of a table have hierarchies, and these data are ratings.")
    return source.records[name], source.schema


def _without_hierarchies(schema: TableSchema, but: str | None) -> TableSchema:
    columns = {
        name: column if name == but else column.model_copy(update={"hierarchy": None})
        for name, column in schema.columns.items()
    }
    return schema.model_copy(update={"columns": columns})
