"""The books of a desk as they are read: each a list in JSON's terms, filtered, and as CSV or NDJSON.

Whatever was changed says when and by whom, as the log has it.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from sqlalchemy import Connection, select

from shoal.data import Role
from shoal.errors import WordingError

from .clock import is_over, read_since
from .names import known_name
from .people.named_populations import listed_populations
from .policy import Policy
from .store.rows import dataset_row, purpose_row, requester_row, rows
from .store.tables import APPROVALS, DATASETS, LOG, PROPOSALS, PURPOSES, RELEASES, REQUESTERS, VERSIONS

__all__ = ["BOOKS", "FILTERS", "Book", "listed_approval", "listed_book", "listed_log", "written_book"]

Listed = dict[str, Any]


def _purposes(connection: Connection) -> list[Listed]:
    found = rows(connection, select(PURPOSES).order_by(PURPOSES.c.name))
    changes = _changes(connection, PURPOSES.name, ("purpose",))
    return [
        {"purpose": row["name"], "settings": json.loads(row["settings"]), **changes.get(row["name"], _NEVER)}
        for row in found
    ]


def _requesters(connection: Connection) -> list[Listed]:
    found = rows(connection, select(REQUESTERS).order_by(REQUESTERS.c.name))
    changes = _changes(connection, REQUESTERS.name, ("requester", "requester closed"))
    return [
        {
            "requester": row["name"],
            "trust": float(Fraction(row["trust"])),
            "state": _state_of_requester(row),
            "expires": row["expires"],
            "purposes": None if row["purposes"] is None else json.loads(row["purposes"]),
            "closed": row["closed"],
            **changes.get(row["name"], _NEVER),
        }
        for row in found
    ]


def _state_of_requester(row: Mapping[str, Any]) -> str:
    if row["closed"] is not None:
        return "closed"
    return "expired" if is_over(row["expires"]) else "open"


def _datasets(connection: Connection) -> list[Listed]:
    versions: dict[str, list[Listed]] = {}
    for row in rows(connection, select(VERSIONS).order_by(VERSIONS.c.number)):
        versions.setdefault(row["dataset"], []).append({"number": row["number"], "columns": json.loads(row["columns"])})
    changes = _changes(connection, DATASETS.name, ("dataset", "policy"))
    return [
        {
            "dataset": row["name"],
            "policy": json.loads(row["policy"]),
            "views": _count_of_views(row, versions.get(row["name"], [])),
            "versions": versions.get(row["name"], []),
            **changes.get(row["name"], _NEVER),
        }
        for row in rows(connection, select(DATASETS).order_by(DATASETS.c.name))
    ]


def _count_of_views(row: Listed, versions: list[Listed]) -> int | None:
    """Return how many nested views there are, as registering says; None where that depends on the data."""
    policy, roles = Policy.of_json(json.loads(row["policy"])), [each["role"] for each in versions[0]["columns"]]
    if (policy.views, policy.recoding) == ("nested", "local") and str(Role.STRATUM) not in roles:
        return None
    return len(json.loads(row["chain"])["nodes"])


def _policies(connection: Connection) -> list[Listed]:
    """Return every policy that ever held, the oldest first."""
    return [
        {
            "dataset": entry["told"]["row"]["name"],
            "at": entry["at"],
            "by": entry["by"],
            "changed": entry["told"].get("changed", []),
            "proposal": entry["told"].get("proposal"),
            "policy": json.loads(entry["told"]["row"]["policy"]),
        }
        for entry in _entries(connection, ("dataset", "policy"))
    ]


def _releases(connection: Connection) -> list[Listed]:
    changes = _changes(connection, RELEASES.name, ("decided",))
    return [
        {**_release(row), "by": changes.get(str(row["number"]), _NEVER)["by"]}
        for row in rows(connection, select(RELEASES).order_by(RELEASES.c.number))
    ]


def _release(row: Listed) -> Listed:
    numbers = {key: float(Fraction(row[key])) for key in ("trust", "degree_asked", "degree_reached")}
    state = "expired" if row["state"] == "done" and is_over(row["expires"]) else row["state"]
    told = {**row, **numbers, "node": json.loads(row["node"]), "state": state}
    del told["token"]
    return told


def _refusals(connection: Connection) -> list[Listed]:
    """Return what was refused, by the desk, on the road out or by an officer, the oldest first."""
    found = []
    for entry in _entries(connection, ("refused", "approval refused")):
        asked = entry["told"].get("row", entry["told"])
        named = {key: asked[key] for key in ("dataset", "requester", "purpose")}
        why = entry["told"].get("why") or asked.get("why")
        found.append({"entry": entry["number"], "at": entry["at"], "by": entry["by"], **named, "why": why})
    return found


def listed_approval(row: Listed) -> Listed:
    """Return a request that waits, or waited, for approval."""
    is_late = row["state"] in ("waiting", "approved") and is_over(row["expires"])
    told = {**row, "trust": float(Fraction(row["trust"])), "state": "expired" if is_late else row["state"]}
    del told["policy"]
    return told


def _approvals(connection: Connection) -> list[Listed]:
    return [listed_approval(row) for row in rows(connection, select(APPROVALS).order_by(APPROVALS.c.number))]


def _proposals(connection: Connection) -> list[Listed]:
    found = rows(connection, select(PROPOSALS).order_by(PROPOSALS.c.number))
    return [{**row, **{part: json.loads(row[part]) for part in ("parts", "policy_before", "policy")}} for row in found]


def listed_log(connection: Connection, after: int = 0, most: int | None = None) -> list[Listed]:
    """Return the entries after a number, at most so many, each with who did it and what it is about."""
    asked = select(LOG).where(LOG.c.number > after).order_by(LOG.c.number)
    return [_entry(row) for row in rows(connection, asked if most is None else asked.limit(most))]


def _entry(row: Listed) -> Listed:
    told = json.loads(row["told"])
    about = told.get("row", told)
    named = {key: about.get(key) for key in ("dataset", "requester", "purpose")}
    if told.get("table") in _NAMES:
        named[_NAMES[told["table"]]] = about["name"]
    whole = {key: row[key] for key in ("number", "at", "event")}
    return {**whole, "by": told.get("by"), **named, "told": told, "previous": row["previous"], "hash": row["hash"]}


_NAMES: Final = {DATASETS.name: "dataset", REQUESTERS.name: "requester", PURPOSES.name: "purpose"}
_NEVER: Final[Listed] = {"at": None, "by": None}


def _entries(connection: Connection, events: Iterable[str]) -> list[Listed]:
    asked = select(LOG).where(LOG.c.event.in_(list(events))).order_by(LOG.c.number)
    return [_entry(row) for row in rows(connection, asked)]


def _changes(connection: Connection, table: str, events: Iterable[str]) -> dict[str, Listed]:
    """Return when and by whom each row of a table was changed last, as far as some events tell."""
    key = "number" if table == RELEASES.name else "name"
    found = [entry for entry in _entries(connection, events) if entry["told"].get("table") == table]
    return {str(entry["told"]["row"][key]): {"at": entry["at"], "by": entry["by"]} for entry in found}


@dataclass(frozen=True)
class Book:
    """One of the lists: how it is read, and which columns people see of it first."""

    title: str
    read: Callable[[Connection], list[Listed]]
    shown: tuple[str, ...]
    filters: tuple[str, ...]
    dated: str = "at"
    """What says when something happened."""


_NAMED: Final = ("dataset", "requester", "purpose")
_TIMES: Final = ("since", "before")
BOOKS: Final[Mapping[str, Book]] = {
    "requesters": Book(
        "who may ask, how far it is trusted, until when and for what",
        _requesters,
        ("requester", "trust", "state", "expires", "purposes", "by"),
        ("requester", "state", "by"),
    ),
    "purposes": Book("what may be asked for", _purposes, ("purpose", "settings", "at", "by"), ("purpose", "by")),
    "datasets": Book(
        "data sets, their versions and policies",
        _datasets,
        ("dataset", "versions", "views", "policy", "at", "by"),
        ("dataset", "by"),
    ),
    "populations": Book(
        "which data sets are judged together, and how many people are in both",
        listed_populations,
        ("dataset", "population", "versions", "judged_with", "people_in_common"),
        ("dataset",),
    ),
    "policies": Book(
        "every policy that held, and who changed it",
        _policies,
        ("dataset", "at", "by", "changed", "policy"),
        ("dataset", "by", *_TIMES),
    ),
    "releases": Book(
        "what was released to whom",
        _releases,
        ("number", "dataset", "version", "requester", "purpose", "degree_reached", "state", "decided", "expires"),
        (*_NAMED, "state", "by", *_TIMES),
        "decided",
    ),
    "refusals": Book(
        "what was refused, and why",
        _refusals,
        ("entry", "at", "dataset", "requester", "purpose", "why", "by"),
        (*_NAMED, "by", *_TIMES),
    ),
    "approvals": Book(
        "requests that wait for an officer, or waited",
        _approvals,
        ("number", "dataset", "requester", "purpose", "trust", "state", "asked_by", "decided_by", "why"),
        (*_NAMED, "state", *_TIMES),
        "asked",
    ),
    "proposals": Book(
        "changes of policies that wait for a second person, or waited",
        _proposals,
        ("number", "dataset", "parts", "state", "proposed_by", "decided_by", "why"),
        ("dataset", "state", *_TIMES),
        "proposed",
    ),
    "log": Book(
        "everything that happened, and who did it",
        listed_log,
        ("number", "at", "event", "by", "dataset", "requester", "purpose"),
        (*_NAMED, "event", "by", *_TIMES),
    ),
}
FILTERS: Final = ("dataset", "requester", "purpose", "state", "event", "by", "since", "before")
_KNOWN: Final = {"dataset": dataset_row, "requester": requester_row, "purpose": purpose_row}


def listed_book(connection: Connection, name: str, filters: Mapping[str, str | None]) -> list[Listed]:
    """Return a book, or the part of it that filters choose; names that the desk does not know are refused."""
    book = BOOKS[name]
    said = {key: value for key, value in filters.items() if value is not None}
    for key in sorted(said.keys() - set(book.filters)):
        raise WordingError(f"The list of {name} cannot be filtered by {key!r}.", f"By: {', '.join(book.filters)}.")
    for key, row_of in _KNOWN.items():
        if key in said:
            said[key] = row_of(connection, known_name(said[key]))["name"]
    begin, end = (None if key not in said else read_since(said.pop(key)) for key in _TIMES)
    return [
        each
        for each in book.read(connection)
        if all(each.get(key) == value for key, value in said.items())
        and (begin is None or begin <= each[book.dated])
        and (end is None or each[book.dated] < end)
    ]


def written_book(name: str, listed: Iterable[Listed], form: Literal["csv", "ndjson"]) -> Iterator[str]:
    """Yield the lines of a book as CSV, with what is not a word or a number in JSON, or as NDJSON."""
    if form == "ndjson":
        yield from (json.dumps(each, ensure_ascii=False) + "\n" for each in listed)
        return
    held = list(listed)
    columns = [*BOOKS[name].shown, *sorted({key for each in held for key in each} - set(BOOKS[name].shown))]
    yield _csv_line(columns)
    yield from (_csv_line([_field(each.get(column)) for column in columns]) for each in held)


def _csv_line(fields: list[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(fields)
    return line.getvalue()


def _field(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return value
