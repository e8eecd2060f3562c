"""The log of the desk: every entry holds the hash of the one before it.

An entry says what happened and, where a row of another table changed, how it stands now. What the other tables hold
therefore follows from the log alone, and :mod:`shoal.desk.audit` compares the two.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, Table, and_, insert, select, update

from shoal.desk.actor import actor
from shoal.desk.clock import now
from shoal.errors import FileError

from .tables import HEAD, LOG

__all__ = ["BEGINNING", "canonical", "entry_hash", "keep", "note"]

BEGINNING: Final = "0" * 64
"""The previous hash of the first entry."""


def note(connection: Connection, event: str, details: Mapping[str, Any]) -> None:
    """Add an entry to the log; it says who did it."""
    heads = connection.execute(select(HEAD.c.number, HEAD.c.hash)).all()
    if len(heads) > 1:
        raise FileError("The desk has several ends of its log written down.", "See shoal desk audit.")
    head = heads[0] if heads else None
    number, previous = (1, BEGINNING) if head is None else (head.number + 1, head.hash)
    entry = {
        "number": number,
        "at": now(),
        "event": event,
        "told": canonical({"by": actor(), **details}),
        "previous": previous,
    }
    hashed = entry_hash(entry)
    connection.execute(insert(LOG).values(**entry, hash=hashed))
    new = {"number": number, "hash": hashed}
    connection.execute(insert(HEAD).values(one=1, **new) if head is None else update(HEAD).values(**new))


def keep(connection: Connection, event: str, table: Table, row: Mapping[str, Any], **also: Any) -> None:
    """Insert a row, or replace the one with the same key, and record it in the log."""
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


def canonical(value: Any) -> str:
    """Write JSON in the one way that has the same bytes every time."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
