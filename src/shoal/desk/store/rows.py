"""Rows of the store: those that are asked for, and names that are new or known."""

from typing import Any

from sqlalchemy import Connection, Select, Table, select

from shoal.desk.names import folded_name, known_name, refuse_odd_name
from shoal.errors import WordingError

from .tables import DATASETS, PURPOSES, REQUESTERS

__all__ = ["dataset_row", "new_name", "purpose_row", "requester_row", "rows"]


def rows(connection: Connection, asked: Select[*tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return all rows that are asked for."""
    return [dict(row) for row in connection.execute(asked).mappings()]


def dataset_row(connection: Connection, name: str) -> dict[str, Any]:
    """Return the row of a data set."""
    return _row(connection, DATASETS, name, "data set")


def purpose_row(connection: Connection, name: str) -> dict[str, Any]:
    """Return the row of a purpose."""
    return _row(connection, PURPOSES, name, "purpose")


def requester_row(connection: Connection, name: str) -> dict[str, Any]:
    """Return the row of a requester."""
    return _row(connection, REQUESTERS, name, "requester")


def _row(connection: Connection, table: Table, name: str, what: str) -> dict[str, Any]:
    found = rows(connection, select(table).where(table.c.name == name))
    if not found:
        raise WordingError(f"The desk knows no {what} {name!r}.", f"Add it with shoal desk {what.replace(' ', '')}.")
    return found[0]


def new_name(connection: Connection, table: Table, name: str, *, again: bool = False) -> str:
    """Return a new name as it is kept, or raise; ``again``: it may be there already, and be the same one."""
    name = known_name(name)
    refuse_odd_name(name)
    what = {"datasets": "data set", "requesters": "requester", "purposes": "purpose"}[table.name]
    for other in connection.execute(select(table.c.name)).scalars():
        if other == name and not again:
            cure = "Give no policy to register a new version, or change the policy with shoal desk policy."
            raise WordingError(
                f"There is a {what} {name!r} already.", cure if what == "data set" else "Choose another name."
            )
        if other != name and folded_name(other) == folded_name(name):
            raise WordingError(
                f"There is a {what} {other!r} already, and the two names would be taken for each other.",
                "Choose a name that differs in more than upper and lower case.",
            )
    return name
