"""Names of data sets, requesters and purposes, written in one way, so that nobody is taken for somebody else.

A name is brought into the Unicode normal form NFC. Two names that are equal without regard to case are not both used.
"""

import unicodedata
from typing import Final

from sqlalchemy import Connection, Table, select

from shoal.errors import WordingError

__all__ = ["RESERVED", "known_name", "new_name"]

RESERVED: Final = ("everybody", "nobody")
"""Words that mean something where names of requesters are listed."""
_LETTERS: Final = 100
_BYTES: Final = 200
"""Files may be named after it, and most systems allow 255 bytes."""


def known_name(name: str) -> str:
    """Return a name as it is kept."""
    return unicodedata.normalize("NFC", name)


def new_name(connection: Connection, table: Table, name: str, *, again: bool = False) -> str:
    """Return a new name as it is kept, or raise; ``again``: it may be there already, and be the same one."""
    name = known_name(name)
    _refuse_odd(name)
    what = {"datasets": "data set", "requesters": "requester", "purposes": "purpose"}[table.name]
    for other in connection.execute(select(table.c.name)).scalars():
        if other == name and not again:
            cure = "Give no policy to register a new version, or change the policy with shoal desk policy."
            raise WordingError(
                f"There is a {what} {name!r} already.", cure if what == "data set" else "Choose another name."
            )
        if other != name and _folded(other) == _folded(name):
            raise WordingError(
                f"There is a {what} {other!r} already, and the two names would be taken for each other.",
                "Choose a name that differs in more than upper and lower case.",
            )
    return name


def _folded(name: str) -> str:
    return known_name(known_name(name).casefold())


def _refuse_odd(name: str) -> None:
    if not name.strip() or name != name.strip() or "," in name or not name.isprintable():
        raise WordingError(
            "A name has letters, no space at its ends, and no comma, control character or mark of the direction of "
            "writing."
        )
    if len(name) > _LETTERS or len(name.encode()) > _BYTES:
        raise WordingError(f"A name has at most {_LETTERS} letters, and {_BYTES} bytes in UTF-8.")
    if _folded(name) in RESERVED:
        raise WordingError(f"{' and '.join(map(repr, RESERVED))} say who may collude, and name nobody.")
