"""Read records from wherever they are: a file, a folder, parts, a database, standard input or a frame."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

from shoal.errors import InputError, SchemaError, WordingError
from shoal.io.formats.contents import Contents
from shoal.io.formats.data_files import find_contents, folder_schema, open_data
from shoal.io.formats.location import Location
from shoal.io.formats.parts import open_parts
from shoal.io.formats.registry import file_format
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.frames import ReadableData, open_frame
from shoal.io.ratings.baskets import read_baskets
from shoal.io.ratings.column_names import named_column
from shoal.io.ratings.compressed import Duplicates
from shoal.io.ratings.demographics import with_attributes
from shoal.io.ratings.item_hierarchy import with_item_hierarchy
from shoal.io.ratings.long import read_long
from shoal.io.ratings.movielens import is_movielens, read_movielens
from shoal.io.ratings.netflix import is_netflix, read_netflix
from shoal.io.ratings.recognition import LikelyRatings, likely_ratings, recognized_columns
from shoal.io.ratings.wide import read_wide
from shoal.io.tables.profile_sizes import with_people
from shoal.io.tables.table import read_table

from .lines_to_write import lines_to_write
from .schema_beside import schema_beside, schema_name, tell_taken
from .schemas import RatingsSchema, Schema, TableSchema, read_schema
from .source import Source

__all__ = ["UnrecognizedError", "open_long", "read", "saying_what_to_write"]


class UnrecognizedError(SchemaError):
    """Data whose columns are not recognized need a schema; the file has been opened and checked all the same."""

    def __init__(self, file: TabularFile, message: str, cure: str, declare: dict[str, Any] | None = None) -> None:
        super().__init__(message, cure, declare)
        self.file = file


def read(data: ReadableData, schema: Schema | None = None, *, duplicates: Duplicates = "refuse") -> Source:
    """Read the records at a path or at any other location, or those of a frame.

    Unless a schema is given, the one that lies beside the data is taken: in a release folder, or under the name of the
    file. Without any, only ratings with an unmistakable layout are read: MovieLens and Netflix files, and files whose
    header names users, items and ratings, or users and items alone. Everything else needs a schema, because columns
    have no default role.
    """
    return with_item_hierarchy(with_attributes(with_people(_found(data, schema, duplicates))))


def _found(data: ReadableData, schema: Schema | None, duplicates: Duplicates) -> Source:
    if not isinstance(data, str | Path | Location):
        return _read_file(data, open_frame(data), schema, duplicates)
    if schema is not None:
        return _read(data, schema, duplicates)
    found = folder_schema(data)
    if found is not None:
        return _read(data, read_schema(found), duplicates)
    beside = schema_beside(data)
    return _read(data, None, duplicates) if beside is None else _read_with(beside, data, duplicates)


def _read_with(found: Path, data: str | Path | Location, duplicates: Duplicates) -> Source:
    """Read data with the schema that lies beside them, and say so: also where it does not fit."""
    told = tell_taken(found)
    try:
        source = _read(data, read_schema(found), duplicates)
    except SchemaError as error:
        raise SchemaError(error.message, f"{error.cure} {told}".strip(), error.declare) from None
    return replace(source, notes=(told, *source.notes), schema_file=found)


def _read(data: str | Path | Location, schema: Schema | None, duplicates: Duplicates) -> Source:
    if isinstance(schema, TableSchema):
        return _read_file(data, open_data(data, schema), schema, duplicates)
    contents = find_contents(data)
    if _is_layout("netflix", schema) and (_declared(schema) or is_netflix(contents[0])):
        return read_netflix(contents, schema, duplicates)
    if schema is not None and schema.layout == "baskets":
        return read_baskets(contents, schema)
    if len(contents) == 1 and _is_layout("movielens", schema) and _is_movielens(contents[0]):
        return read_movielens(contents[0], schema, duplicates)
    return _read_file(data, _opened(data, contents, schema), schema, duplicates)


def open_long(data: str | Path | Location, schema: RatingsSchema | None) -> TabularFile | None:
    """Open ratings with one a line under a header; None where they are laid out otherwise or not recognized."""
    contents = find_contents(data)
    if _is_layout("netflix", schema) and (_declared(schema) or is_netflix(contents[0])):
        return None
    if schema is not None and schema.layout in ("baskets", "wide"):
        return None
    if len(contents) == 1 and _is_layout("movielens", schema) and _is_movielens(contents[0]):
        return None
    file = _opened(data, contents, schema)
    if schema is None:
        return file if recognized_columns(file) is not None else None
    return file if schema.layout == "long" or _says_columns_of_long(file, schema) else None


def _opened(data: ReadableData, contents: tuple[Contents, ...], schema: RatingsSchema | None) -> TabularFile:
    """Open a file; where its first line is likely a record and cannot be a header, say what to write."""
    try:
        return open_parts(contents, schema)
    except SchemaError as error:
        if schema is not None or "header" not in error.declare:
            raise
        without = likely_ratings(open_parts(contents, RatingsSchema(header=False)))
        raise error if without is None else _said(data, without) from None


def _read_file(data: ReadableData, file: TabularFile, schema: Schema | None, duplicates: Duplicates) -> Source:
    if isinstance(schema, TableSchema):
        _refuse_duplicates(duplicates, "a table")
        source = read_table(file, schema)
    elif schema is None:
        source = _read_recognized(data, file, duplicates)
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


def _read_recognized(data: ReadableData, file: TabularFile, duplicates: Duplicates) -> Source:
    """Read a file without a schema; where one is needed, say what to write into it."""
    if recognized_columns(file) is None:
        raise _unrecognized(data, file)
    with saying_what_to_write(data, file):
        return read_long(file, None, duplicates)


@contextmanager
def saying_what_to_write(data: ReadableData, file: TabularFile) -> Iterator[None]:
    """Say, where ratings without a schema are refused for want of one, what to write into it."""
    try:
        yield
    except InputError as error:
        columns = recognized_columns(file)
        if not error.declare or columns is None:
            raise
        settings = {**columns.settings, **error.declare}
        raise type(error)(error.message, f"{error.cure} {lines_to_write(data, settings)}", settings) from None


def _unrecognized(data: ReadableData, file: TabularFile) -> UnrecognizedError:
    likely = likely_ratings(file)
    if likely is None:
        return UnrecognizedError(
            file,
            f"The columns of {file.name} cannot be recognized with certainty.",
            f"Write a schema: `{_describing(data)}` writes one to start from.",
        )
    said = _said(data, likely)
    return UnrecognizedError(file, said.message, said.cure, said.declare)


def _said(data: ReadableData, likely: LikelyRatings) -> SchemaError:
    lines = lines_to_write(data, likely.settings)
    return SchemaError(likely.reason, f"{likely.advice} {lines}", likely.settings)


def _describing(data: ReadableData) -> str:
    """Return the call that writes a starter schema; a database is not named, since its URL may hold a password."""
    if not isinstance(data, str | Path | Location):
        return 'shoal.describe(frame, out="schema.toml")'
    location = Location.of(data)
    argument = "DATA" if location.is_database else quote(location.path)
    return f"shoal describe {argument} --out {quote(str(schema_name(data) or 'schema.toml'))}"


def _read_ratings(file: TabularFile, schema: RatingsSchema, duplicates: Duplicates) -> Source:
    if schema.layout in ("long", "movielens") or _says_columns_of_long(file, schema):
        return read_long(file, schema, duplicates)
    if schema.layout == "wide" or schema.items is not None or schema.id:
        _refuse_duplicates(duplicates, "a file with one person a line")
        return read_wide(file, schema)
    raise SchemaError(
        f"It is not clear whether {file.name} has one rating a line or one person a line.",
        'Say layout = "long" or layout = "wide" in the schema.',
    )


def _says_columns_of_long(file: TabularFile, schema: RatingsSchema) -> bool:
    declared = any(name is not None for name in (schema.user, schema.item, schema.rating, schema.date))
    return schema.layout is None and (declared or recognized_columns(file) is not None or _has_sets(file, schema))


def _has_sets(file: TabularFile, schema: RatingsSchema) -> bool:
    """Tell whether a file that is declared to hold sets has columns that are named as users and items are."""
    return schema.kind == "sets" and None not in (named_column(file.names, "user"), named_column(file.names, "item"))
