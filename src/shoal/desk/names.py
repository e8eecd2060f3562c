"""Names of data sets, requesters and purposes, written in one way, so that nobody is taken for somebody else.

A name is brought into the Unicode normal form NFC. Two names that are equal without regard to case are not both used.
"""

import unicodedata
from typing import Final

from shoal.errors import WordingError

__all__ = ["RESERVED", "folded_name", "known_name", "refuse_odd_name"]

RESERVED: Final = ("everybody", "nobody")
"""Words that mean something where names of requesters are listed."""
_LETTERS: Final = 100
_BYTES: Final = 200
"""Files may be named after it, and most systems allow 255 bytes."""


def known_name(name: str) -> str:
    """Return a name as it is kept."""
    return unicodedata.normalize("NFC", name)


def folded_name(name: str) -> str:
    """Return a name without regard to case; two names that are equal then are not both used."""
    return known_name(known_name(name).casefold())


def refuse_odd_name(name: str) -> None:
    """Refuse a name that people could not write, distinguish from another, or use for a file."""
    if not name.strip() or name != name.strip() or "," in name or not name.isprintable():
        raise WordingError(
            "A name has letters, no space at its ends, and no comma, control character or mark of the direction of "
            "writing."
        )
    if len(name) > _LETTERS or len(name.encode()) > _BYTES:
        raise WordingError(f"A name has at most {_LETTERS} letters, and {_BYTES} bytes in UTF-8.")
    if folded_name(name) in RESERVED:
        raise WordingError(f"{' and '.join(map(repr, RESERVED))} say who may collude, and name nobody.")
