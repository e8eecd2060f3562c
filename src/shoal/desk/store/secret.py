"""The secret of a desk: the key of the hashes by which people are recognized in other data.

It is kept in the store and nowhere else. Whoever has it can try names one by one against the hashes, so a store is as
private as the identifiers of its data. Its SHA-256 is in the log: with another secret the hashes of the same people
would differ, and nobody would be recognized any more.
"""

import hashlib
import json
import secrets
from typing import Any, Final

from sqlalchemy import Connection, insert, select, text

from shoal.errors import FileError

from .log import note
from .tables import SECRET

__all__ = ["SCHEMA", "draw_secret", "fault_of_secret", "owner_of_store", "secret_of"]

SCHEMA: Final = 4
"""The number of the present set of tables; 1 had no marks and no secret, 2 no trees, 3 no approvals."""


def draw_secret(connection: Connection, event: str) -> None:
    """Draw the secret of a store; log that the store was ``opened`` or ``upgraded``, and which role did it."""
    secret = secrets.token_hex(32)
    connection.execute(insert(SECRET).values(one=1, schema=SCHEMA, secret=secret))
    published: dict[str, Any] = {"schema": SCHEMA, "secret_sha256": _sha256(secret)}
    if connection.dialect.name == "postgresql":
        published["owner"] = connection.execute(text("SELECT current_user::text")).scalar_one()
    note(connection, event, published)


def secret_of(connection: Connection) -> bytes:
    """Return the secret."""
    found = connection.execute(select(SECRET.c.secret)).scalars().all()
    if len(found) != 1:
        raise FileError("The desk has lost its secret, or has several.", "See shoal desk audit.")
    return bytes.fromhex(found[0])


def fault_of_secret(connection: Connection, entries: list[dict[str, Any]]) -> list[str]:
    """Return a sentence if the secret is not the one in the log."""
    found = connection.execute(select(SECRET.c.secret)).scalars().all()
    published = [body["secret_sha256"] for body in _openings(entries)]
    if len(found) == len(published) == 1 and _sha256(str(found[0])) == published[0]:
        return []
    return ["The secret of the desk is not the one that it drew: people in other data may go unnoticed."]


def owner_of_store(entries: list[dict[str, Any]]) -> str | None:
    """Return the role that made the store, according to the log."""
    return next((body.get("owner") for body in _openings(entries)), None)


def _openings(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for entry in entries:
        if entry["event"] in ("opened", "upgraded"):
            try:
                body = json.loads(entry["told"])
            except (ValueError, TypeError):  # the hash of the entry is found wrong
                continue
            if isinstance(body, dict) and "secret_sha256" in body:
                found.append(body)
    return found


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
