"""Read records from wherever they are: a file, a folder, parts, a database, standard input or a frame."""

from dataclasses import replace
from pathlib import Path

from shoal.errors import SchemaError, WordingError
from shoal.io.formats.contents import Contents
from shoal.io.formats.data_files import find_contents, folder_schema, open_data
from shoal.io.formats.location import Location
from shoal.io.formats.parts import open_parts
from shoal.io.formats.registry import file_format
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.frames import ReadableData, open_frame
from shoal.io.ratings.compressed import Duplicates
from shoal.io.ratings.long import columns_of_ratings, read_long
from shoal.io.ratings.movielens import is_movielens, read_movielens
from shoal.io.ratings.netflix import is_netflix, read_netflix
from shoal.io.ratings.wide import read_wide
from shoal.io.tables.profile_sizes import with_people
from shoal.io.tables.table import read_table

from .schemas import RatingsSchema, Schema, TableSchema, read_schema
from .source import Source

__all__ = ["read"]


def read(data: ReadableData, schema: Schema | None = None, *, duplicates: Duplicates = "refuse") -> Source:
    """Read the records at a path or at any other location, or those of a frame.

    Without a schema only ratings with an unmistakable layout are read: MovieLens and Netflix files, and files whose
    header names users, items and ratings. Everything else needs a schema, because columns have no default role.
    """
    if isinstance(data, str | Path | Location):
        return with_people(_read(data, schema, duplicates))
    return with_people(_read_file(open_frame(data), schema, duplicates))


def _read(path: str | Path | Location, schema: Schema | None, duplicates: Duplicates) -> Source:
    found = folder_schema(path)
    if schema is None and found is not None:
        schema = read_schema(found)
    if isinstance(schema, TableSchema):
        return _read_file(open_data(path, schema), schema, duplicates)
    contents = find_contents(path)
    if _is_layout("netflix", schema) and (_declared(schema) or is_netflix(contents[0])):
        return read_netflix(contents, schema, duplicates)
    if len(contents) == 1 and _is_layout("movielens", schema) and _is_movielens(contents[0]):
        return read_movielens(contents[0], schema, duplicates)
    return _read_file(open_parts(contents, schema), schema, duplicates)


def _read_file(file: TabularFile, schema: Schema | None, duplicates: Duplicates) -> Source:
    if isinstance(schema, TableSchema):
        _refuse_duplicates(duplicates, "a table")
        source = read_table(file, schema)
    else:
        source = _read_ratings(file, schema, duplicates)
    return replace(source, types=file.types)


def _refuse_duplicates(duplicates: Duplicates, what: str) -> None:
    if duplicates != "refuse":
        raise WordingError(
            f"Only files with one rating a line can have duplicates, and this is {what}.",
            "Leave out --duplicates.",
        )


def _is_layout(layout: str, schema: RatingsSchema | None) -> bool:
    return schema is None or schema.layout in (None, layout)


def _is_movielens(contents: Contents) -> bool:
    return file_format(contents).is_text and is_movielens(contents)


def _declared(schema: RatingsSchema | None) -> bool:
    return schema is not None and schema.layout is not None


def _read_ratings(file: TabularFile, schema: RatingsSchema | None, duplicates: Duplicates) -> Source:
    if schema is None and columns_of_ratings(file.names) is None:
        raise SchemaError(
            f"The columns of {file.name} cannot be recognized with certainty.",
            "Write a schema; `shoal describe` prints one to start from.",
        )
    if schema is None or schema.layout in ("long", "movielens") or _says_columns_of_long(file, schema):
        return read_long(file, schema, duplicates)
    if schema.layout == "wide" or schema.items is not None or schema.id:
        _refuse_duplicates(duplicates, "a file with one person a line")
        return read_wide(file, schema)
    raise SchemaError(
        f"It is not clear whether {file.name} has one rating a line or one person a line.",
        'Say layout = "long" or layout = "wide" in the schema.',
    )


def _says_columns_of_long(file: TabularFile, schema: RatingsSchema) -> bool:
    declared = any(name is not None for name in (schema.user, schema.item, schema.rating))
    return schema.layout is None and (declared or columns_of_ratings(file.names) is not None)
