"""On what terms a requester may ask: as long as it is trusted, for its purposes, and until it is closed.

Whatever a requester was given counts as known, also when its trust has ended or it is closed: terms decide on new views
alone.
"""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sqlalchemy import Connection, select

from shoal.desk.clock import is_over, now, read_until
from shoal.desk.names import known_name
from shoal.desk.store.log import canonical, keep
from shoal.desk.store.rows import new_name, purpose_row, requester_row, rows
from shoal.desk.store.tables import REQUESTERS
from shoal.errors import RequestRefused, WordingError

__all__ = ["AS_BEFORE", "close_requester", "entitled_trust", "set_terms", "why_not_entitled"]

AS_BEFORE: Final = "as before"
"""Stands for terms that are not said: they stay as they were, and a new requester has none."""


def set_terms(
    connection: Connection,
    name: str,
    trust: Fraction | float,
    until: str = AS_BEFORE,
    purposes: Sequence[str] | str | None = AS_BEFORE,
    *,
    reopen: bool = False,
) -> dict[str, Any]:
    """Add a requester, or change the trust in one and its terms; return the row that is kept."""
    if isinstance(trust, bool) or not isinstance(trust, int | float | Fraction) or not 0 <= trust <= 1:
        raise WordingError("Trust is a number, at least 0 and at most 1.")
    name = new_name(connection, REQUESTERS, name, again=True)
    known = rows(connection, select(REQUESTERS).where(REQUESTERS.c.name == name))
    row: dict[str, Any] = known[0] if known else {"expires": None, "purposes": None, "closed": None}
    if row["closed"] is not None and not reopen:
        raise WordingError(f"The requester {name!r} is closed.", "Open it again with --reopen.")
    row = {**row, "name": name, "trust": str(Fraction(str(trust))), "closed": None}
    if until != AS_BEFORE:
        row["expires"] = read_until(until)
        if is_over(row["expires"]):
            raise WordingError("Trust cannot end before now.", "Close the requester instead.")
    if purposes != AS_BEFORE:
        row["purposes"] = _purposes(connection, purposes)
    keep(connection, "requester", REQUESTERS, row)
    return row


def _purposes(connection: Connection, names: Sequence[str] | None) -> str | None:
    if names is None:
        return None
    return canonical(sorted({purpose_row(connection, known_name(name))["name"] for name in names}))


def close_requester(connection: Connection, name: str, why: str = "") -> None:
    """Give a requester nothing more, until it is opened again."""
    row = requester_row(connection, known_name(name))
    if row["closed"] is not None:
        raise WordingError(f"The requester {row['name']!r} is closed already.")
    keep(connection, "requester closed", REQUESTERS, {**row, "closed": now()}, why=why)


def entitled_trust(connection: Connection, requester: str, purpose: str) -> Fraction:
    """Return the trust in a requester who may ask for a purpose now, or raise."""
    row = requester_row(connection, requester)
    why = why_not_entitled(row, purpose, now())
    if why is not None:
        raise RequestRefused(why, "shoal desk requester changes its terms.")
    return Fraction(row["trust"])


def why_not_entitled(row: Mapping[str, Any], purpose: str, at: str) -> str | None:
    """Return why a requester gets nothing for a purpose at a time, in a sentence; None if it may."""
    name = row["name"]
    if row.get("closed") is not None:
        return f"The requester {name!r} is closed."
    if Fraction(row["trust"]) == 0:
        return f"The requester {name!r} is not trusted at all."
    if row.get("expires") is not None and row["expires"] <= at:
        return f"The trust in {name!r} ended on {row['expires']}."
    if row.get("purposes") is not None and purpose not in json.loads(row["purposes"]):
        return f"The requester {name!r} may not ask for the purpose {purpose!r}."
    return None
