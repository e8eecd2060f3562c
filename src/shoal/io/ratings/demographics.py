"""Demographics beside ratings: columns of the same file, or a second file with one line a person."""

from dataclasses import replace

import numpy as np
import polars as pl

from shoal.data import Microdata, Ratings, Role, Survey, Vocabulary
from shoal.errors import DataError, SchemaError
from shoal.io.formats.data_files import open_data
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import AttributesSchema, ColumnSchema, RatingsSchema, TableSchema
from shoal.io.source import Source
from shoal.io.tables.sample_columns import notes_on_sample
from shoal.io.tables.table import read_columns, with_types

__all__ = ["with_attributes", "with_columns_beside"]


def with_columns_beside(source: Source, file: TabularFile) -> Source:
    """Return the source of a file with one person a line as a survey, if its schema describes columns beside items."""
    schema = source.schema
    if not isinstance(schema, RatingsSchema) or not schema.columns:
        return source
    names = [name for name in file.names if name in schema.columns]
    table, notes = _table(_of_columns(file, names), schema)
    said = f"{len(names):,} {'column is' if len(names) == 1 else 'columns are'} demographics of the same people."
    return _survey(source, table, (said, *notes))


def with_attributes(source: Source) -> Source:
    """Return a source of ratings with the demographics that its schema names, as a survey; others as they are.

    Everybody who rated needs a line, with empty fields where nothing is known. Lines of people who rated nothing are
    left out: a customer file has many of them.
    """
    schema, ratings = source.schema, source.records
    if not isinstance(schema, RatingsSchema) or not isinstance(ratings, Ratings) or not schema.columns:
        return source
    if schema.attributes is None:
        raise SchemaError(
            "The schema gives roles to columns, and these data have one rating a line.",
            'Name the file with one line a person: attributes = "users.csv".',
        )
    _refuse_items_named_as_columns(ratings, schema)
    user = schema.attributes.user or schema.user or "user"
    file = _attributes_file(schema, schema.attributes, user)
    rows = _rows_of_people(ratings.users, file, user)
    table, notes = _table(_of_columns(file, [name for name in file.names if name != user]), schema)
    others = file.rows - len(rows)
    said = [f"{file.name} has the demographics of {len(rows):,} people."]
    said += [f"{others:,} of its lines are of people without a rating, and are left out."] if others else []
    return _survey(source, table.take(rows), (*said, *notes))


def _attributes_file(schema: RatingsSchema, attributes: AttributesSchema, user: str) -> TabularFile:
    """Open the file of people; the column that names them is an identifier."""
    if user in schema.columns:
        raise SchemaError(
            f"The column {user!r} names the person, and has a role under [columns] as well.", "Remove the role."
        )
    layout = attributes.model_dump(exclude={"file", "user"})
    described = {user: ColumnSchema(role=Role.IDENTIFIER, type="text"), **schema.columns}
    file = open_data(attributes.file, TableSchema(columns=described, **layout))
    file.refuse_if_empty()
    if user not in file.names:
        raise SchemaError(
            f"{file.name} has no column {user!r}, which names the person.",
            'Say attributes = { file = "users.csv", user = "name of the column" }.',
        )
    return file


def _rows_of_people(users: Vocabulary, file: TabularFile, user: str) -> np.ndarray:
    """Return the line of each user; everybody must have one, and only one."""
    named = file.frame(user).to_series().cast(pl.String)
    repeated = len(named) - named.n_unique()
    if repeated:
        raise DataError(
            f"{repeated:,} lines of {file.name} name somebody who has a line already.", "Keep one line for each person."
        )
    rows = Vocabulary(named).codes(users.values.cast(pl.String))
    missing = int(np.count_nonzero(rows < 0))
    if missing:
        raise DataError(
            f"{missing:,} people have ratings and no line in {file.name}.",
            "Add a line for each of them; fields may be empty.",
        )
    return rows


def _refuse_items_named_as_columns(ratings: Ratings, schema: RatingsSchema) -> None:
    for matrix in (ratings.observable, ratings.sensitive):
        shared = matrix.items.values.cast(pl.String).is_in(list(schema.columns)).sum()
        if shared:
            raise SchemaError(f"{shared:,} items have the name of a column of the demographics.", "Rename the columns.")


def _of_columns(file: TabularFile, names: list[str]) -> TabularFile:
    return replace(file, names=tuple(names), scan=file.scan.select(names), parts=())


def _table(file: TabularFile, schema: RatingsSchema) -> tuple[Microdata, list[str]]:
    layout = schema.attributes or schema
    columns, notes = read_columns(file, TableSchema(columns=schema.columns, null=layout.null, decimal=layout.decimal))
    for column in columns:
        given = column.values.drop_nulls()
        repeated = len(given) - given.n_unique() if column.role is Role.IDENTIFIER else 0
        if repeated:
            raise DataError(
                f"The identifier {column.name!r} repeats in {repeated:,} lines, but each person must have one line.",
                'Correct the data, or give the column the role "drop" if it does not name people.',
            )
    return Microdata(columns), notes


def _survey(source: Source, table: Microdata, notes: tuple[str, ...]) -> Source:
    """Return the source with demographics, their types in the schema as they were found."""
    assert isinstance(source.schema, RatingsSchema)
    assert isinstance(source.records, Ratings)
    columns = with_types(source.schema.columns, table.columns)
    schema = source.schema.model_copy(update={"columns": columns})
    survey = Survey(table, source.records, dated=schema.dates is not None)
    said = (*source.notes, *notes, *notes_on_sample(table))
    return replace(source, records=survey, schema=schema, notes=said)
