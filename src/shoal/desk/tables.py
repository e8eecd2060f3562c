"""The tables of the store, and what keeps its log as it was written.

The log of the desk: every entry holds the hash of the one before it.

An entry tells what happened and, where something that is kept changed, how it stands now. What the other tables hold
can therefore be told from the log alone, and is compared with it by :mod:`.audit`.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    DDL,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    Table,
    Text,
    and_,
    event,
    insert,
    select,
    update,
)

from shoal.errors import FileError, WordingError

__all__ = [
    "ALWAYS",
    "BEGINNING",
    "DATASETS",
    "HEAD",
    "LOG",
    "MARKS",
    "MARK_LISTS",
    "METADATA",
    "OVERLAPS",
    "PURPOSES",
    "RELEASES",
    "REQUESTERS",
    "SECRET",
    "TRIGGER_FUNCTION",
    "VERSIONS",
    "canonical",
    "dataset_row",
    "entry_hash",
    "keep",
    "note",
    "now",
    "purpose_row",
    "requester_row",
    "rows",
]


METADATA: Final = MetaData()

DATASETS: Final = Table(
    "datasets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("policy", Text, nullable=False),
    Column("chain", Text, nullable=False),
)
VERSIONS: Final = Table(
    "versions",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("values_print", Text, nullable=False),  # keyed, of the fields as written
    Column("columns", Text, nullable=False),  # names, roles and heights; no value of a record
)
MARKS: Final = Table(
    "marks",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("people", Text, nullable=False),  # the SHA-256 of each list of keyed hashes
    Column("records", Text, nullable=False),  # the same of records
)
MARK_LISTS: Final = Table(
    "mark_lists",
    METADATA,
    Column("sha256", Text, primary_key=True),
    Column("marks", LargeBinary, nullable=False),
)
OVERLAPS: Final = Table(
    "common_people",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("other", Text, primary_key=True),
    Column("other_number", Integer, primary_key=True, autoincrement=False),
    Column("people", Integer, nullable=False),
    Column("records", Integer, nullable=False),
)
PURPOSES: Final = Table(
    "purposes", METADATA, Column("name", Text, primary_key=True), Column("settings", Text, nullable=False)
)
REQUESTERS: Final = Table(
    "requesters", METADATA, Column("name", Text, primary_key=True), Column("trust", Text, nullable=False)
)
RELEASES: Final = Table(
    "releases",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("dataset", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("requester", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("trust", Text, nullable=False),
    Column("degree_asked", Text, nullable=False),
    Column("degree_reached", Text, nullable=False),
    Column("node", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("decided", Text, nullable=False),
    Column("token", Text, nullable=False, unique=True),
    Column("sha256", Text),
    Column("state", Text, nullable=False),
    Index("given", "dataset", "version", "node"),
    Index("given_to", "dataset", "requester"),
    Index("in_state", "state"),
)
LOG: Final = Table(
    "log",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("told", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
HEAD: Final = Table(
    "head",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("hash", Text, nullable=False),
)
SECRET: Final = Table(
    "secret",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("schema", Integer, nullable=False),  # which tables a store has: 2 since people are marked
    Column("secret", Text, nullable=False),
)

TRIGGER_FUNCTION: Final = " BEGIN RAISE EXCEPTION 'the log is append-only'; END "
ALWAYS: Final = "ALTER TABLE log ENABLE ALWAYS TRIGGER log_keeps"
"""Whoever replays a replica's changes, or says so of a session, is refused as well."""
_SQLITE = [
    f"CREATE TRIGGER log_keeps_{what} BEFORE {what} ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
    for what in ("UPDATE", "DELETE")
] + [  # INSERT OR REPLACE would delete without asking
    "CREATE TRIGGER log_keeps_INSERT BEFORE INSERT ON log WHEN NEW.number <= (SELECT max(number) FROM log) "
    "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
]
_POSTGRESQL = [
    f"CREATE OR REPLACE FUNCTION log_keeps() RETURNS trigger LANGUAGE plpgsql AS $${TRIGGER_FUNCTION}$$",
    "CREATE TRIGGER log_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON log "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_keeps()",
    ALWAYS,
]
for _dialect, _statements in (("sqlite", _SQLITE), ("postgresql", _POSTGRESQL)):
    for _statement in _statements:
        event.listen(LOG, "after_create", DDL(_statement).execute_if(dialect=_dialect))


BEGINNING: Final = "0" * 64
"""What stands for the hash of the entry before the first."""


def note(connection: Connection, event: str, published: Mapping[str, Any]) -> None:
    """Add an entry to the log."""
    heads = connection.execute(select(HEAD.c.number, HEAD.c.hash)).all()
    if len(heads) > 1:
        raise FileError("The desk has several ends of its log written down.", "See shoal desk audit.")
    head = heads[0] if heads else None
    number, previous = (1, BEGINNING) if head is None else (head.number + 1, head.hash)
    entry = {"number": number, "at": now(), "event": event, "told": canonical(published), "previous": previous}
    hashed = entry_hash(entry)
    connection.execute(insert(LOG).values(**entry, hash=hashed))
    new = {"number": number, "hash": hashed}
    connection.execute(insert(HEAD).values(one=1, **new) if head is None else update(HEAD).values(**new))


def keep(connection: Connection, event: str, table: Table, row: Mapping[str, Any], **also: Any) -> None:
    """Add a row, or put it in place of the one of the same key, and tell it in the log."""
    is_it = and_(*(column == row[column.name] for column in table.primary_key.columns))
    if connection.execute(select(table).where(is_it)).first() is None:
        connection.execute(insert(table).values(**row))
    else:
        connection.execute(update(table).where(is_it).values(**row))
    note(connection, event, {"table": table.name, "row": dict(row), **also})


def entry_hash(entry: Mapping[str, Any]) -> str:
    """Return the hash of an entry: of all it says and of the hash before it."""
    parts = {key: entry[key] for key in ("number", "at", "event", "told", "previous")}
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def canonical(published: Any) -> str:
    """Write JSON in the one way that has the same bytes every time."""
    return json.dumps(published, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def now() -> str:
    """Return the time of day, everywhere the same."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def rows(connection: Connection, asked: Select[Any]) -> list[dict[str, Any]]:
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
