"""The values of one person who looks themselves up in a release, column by column."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.data.hierarchies.category_levels import tree_levels
from shoal.data.time_span import DAY, time_span
from shoal.errors import DataError, HierarchyError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.frames import ReadableData, open_data
from shoal.io.hierarchies.file import built_hierarchy, read_hierarchy
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.schemas.hierarchy_schema import HierarchySchema, TreeHierarchy

from .table import read_table
from .values import typed_values

__all__ = ["no_time", "own_values", "read_own_values", "refuse_unless_one_line"]


def read_own_values(data: ReadableData, release: TableSchema, public: TableSchema | None) -> Microdata:
    """Read a file with a header and one line; it may lack columns of the release, and have others.

    The schema of the original, where it is ``public``, names the hierarchies that the labels of the release come from.
    Those that list their values are used; the others depend on the original data, which are not at hand, and their
    labels are read as they are written. Strata of the release are read as quasi-identifiers, and columns that are
    neither get the role *drop*.
    Values stay as they are written, except for numbers where the release has numbers.
    """
    file = open_data(data)
    refuse_unless_one_line(file)
    return own_values(file, release, public)


def refuse_unless_one_line(file: TabularFile) -> None:
    """Refuse a file of one person that does not have one line of values."""
    if file.rows != 1:
        raise DataError(
            f"{file.name} has {file.rows:,} lines below its header.",
            "It must have a header and one line of values.",
        )


def own_values(file: TabularFile, release: TableSchema, public: TableSchema | None) -> Microdata:
    """Return the values of the one line of a file, as :func:`read_own_values` does."""
    columns = {name: _described(name, release) for name in file.names}
    null = (*release.null, *(() if public is None else public.null))
    own = read_table(file, TableSchema(columns=columns, null=null)).records
    assert isinstance(own, Microdata)
    for column in own.quasi_identifiers:
        if release.columns[column.name].type == "date":
            _refuse_other_than_time(column)
    if public is None:
        return own
    explained = [
        _with_hierarchy(column, public.columns[column.name].hierarchy, null)
        for column in own.quasi_identifiers
        if column.name in public.columns
    ]
    return own.replaced(tuple(explained))


def _described(name: str, release: TableSchema) -> ColumnSchema:
    published = release.columns.get(name)
    if published is None or not published.role.is_observable:
        return ColumnSchema(role=Role.DROP)
    return ColumnSchema(role=Role.QUASI_IDENTIFIER, type="number" if published.type == "number" else "text")


def _refuse_other_than_time(column: Column) -> None:
    if any(word is not None and time_span(word) is None for word in column.vocabulary.words):
        raise no_time(column.name)


def no_time(column: str) -> DataError:
    """Return the refusal of a value that is no date, of a column that has dates."""
    return DataError(
        f"The value of the column {column!r} is not a date such as 2025-12-31, or a time such as 2025-12-31 23:59.",
        "Write it in one of these forms.",
    )


def _with_hierarchy(column: Column, wanted: HierarchySchema | None, null: tuple[float | str, ...]) -> Column:
    """Return a column with its hierarchy, if that lists values: its value as written, as a number or as a time."""
    if not isinstance(wanted, str | TreeHierarchy):
        return column
    try:
        listed = _listed(wanted, column, null)
    except HierarchyError as error:
        raise HierarchyError(f"Column {column.name!r}: {error.message}", error.cure) from None
    for understood in _understood(column):
        if (listed.places(understood.vocabulary) >= 0).all():
            return understood.with_hierarchy(listed.rebased(understood.vocabulary))
    raise HierarchyError(
        f"The hierarchy of the column {column.name!r} does not list your value.",
        "Check how it is written, or leave the column out.",
    )


def _listed(wanted: str | TreeHierarchy, column: Column, null: tuple[float | str, ...]) -> Hierarchy:
    """Return a hierarchy over all values that it lists."""
    if isinstance(wanted, str):
        return read_hierarchy(wanted, null)
    leaves = tree_levels(column.values, wanted.tree)[0]
    return built_hierarchy(wanted, Column.encode(column.name, column.role, leaves), null)


def _understood(column: Column) -> Iterator[Column]:
    """Yield the column as it is written, then as what it may mean."""
    yield column
    (word,) = column.vocabulary.words
    number = typed_values(column.values.cast(pl.String), None, as_written=True)
    if number.dtype.is_numeric():
        yield Column.encode(column.name, column.role, number)
    span = None if word is None else time_span(word)
    if span is not None:
        time = datetime.fromtimestamp(0, UTC).replace(tzinfo=None) + timedelta(microseconds=span[0])
        is_day = span[1] - span[0] + 1 == DAY
        yield Column.encode(column.name, column.role, pl.Series([time.date() if is_day else time]))
