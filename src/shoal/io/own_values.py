"""What one person says of themselves, column by column."""

from pathlib import Path

from shoal.data import Microdata, Role
from shoal.errors import DataError

from .open_own_file import open_own_file
from .schema import ColumnSchema, TableSchema
from .table import read_table

__all__ = ["read_own_values"]


def read_own_values(path: str | Path, release: TableSchema, public: TableSchema | None) -> Microdata:
    """Read a file with a header and one line, of any of the columns of a release and perhaps others.

    A public schema of the original may say of which hierarchies the labels of the release are. Columns that are not
    quasi-identifiers of the release have the role *drop*.
    """
    file = open_own_file(path)
    if file.rows != 1:
        raise DataError(
            f"{file.name} has {file.rows:,} lines below its header.",
            "Give the names of columns, and one line of values.",
        )
    columns = {name: _described(name, release, public) for name in file.names}
    own = read_table(file, TableSchema(columns=columns, null=release.null)).records
    assert isinstance(own, Microdata)
    return own


def _described(name: str, release: TableSchema, public: TableSchema | None) -> ColumnSchema:
    told = release.columns.get(name)
    if told is None or told.role is not Role.QUASI_IDENTIFIER:
        return ColumnSchema(role=Role.DROP)
    original = public.columns.get(name) if public is not None else None
    # labels are text; what they stand for may be numbers
    kind = None if told.type == "text" else told.type
    return ColumnSchema(
        role=Role.QUASI_IDENTIFIER, type=kind, hierarchy=None if original is None else original.hierarchy
    )
