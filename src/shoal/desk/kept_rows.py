"""Rows of the store as plain dictionaries; by their names, or a sentence that there is none."""

from typing import Any

from sqlalchemy import Connection, Select, Table, select

from shoal.errors import WordingError

from .tables import DATASETS, PURPOSES, REQUESTERS

__all__ = ["dataset_row", "purpose_row", "requester_row", "rows"]


def rows(connection: Connection, asked: Select[Any]) -> list[dict[str, Any]]:
    """Give all rows that are asked for."""
    return [dict(row) for row in connection.execute(asked).mappings()]


def dataset_row(connection: Connection, name: str) -> dict[str, Any]:
    """Give the row of a data set."""
    return _row(connection, DATASETS, name, "data set")


def purpose_row(connection: Connection, name: str) -> dict[str, Any]:
    """Give the row of a purpose."""
    return _row(connection, PURPOSES, name, "purpose")


def requester_row(connection: Connection, name: str) -> dict[str, Any]:
    """Give the row of a requester."""
    return _row(connection, REQUESTERS, name, "requester")


def _row(connection: Connection, table: Table, name: str, what: str) -> dict[str, Any]:
    found = rows(connection, select(table).where(table.c.name == name))
    if not found:
        raise WordingError(f"The desk knows no {what} {name!r}.", f"Add it with shoal desk {what.replace(' ', '')}.")
    return found[0]
