"""The books of a desk as they are read: each a list in JSON's terms, filtered, and as CSV or NDJSON.

Whatever was changed says when and by whom, as the log has it.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection

from shoal.errors import WordingError

from .books.entries import listed_log, listed_policies, listed_refusals
from .books.part import Listed, Part
from .books.tables import (
    listed_approvals,
    listed_datasets,
    listed_proposals,
    listed_purposes,
    listed_releases,
    listed_requesters,
)
from .clock import read_since
from .names import known_name
from .people.named_populations import listed_populations
from .store.rows import dataset_row, purpose_row, requester_row

__all__ = ["BOOKS", "FILTERS", "Book", "listed_book", "written_book"]


def _whole(read: Callable[[Connection], list[Listed]]) -> Callable[[Connection, Part], list[Listed]]:
    """Return how a short book is read: whole, and then filtered."""
    return lambda connection, part: [row for row in read(connection) if part.fits(row, "at")]


@dataclass(frozen=True)
class Book:
    """One of the lists: how it is read, and which columns people see of it first."""

    title: str
    read: Callable[[Connection, Part], list[Listed]]
    shown: tuple[str, ...]
    filters: tuple[str, ...]


_NAMED: Final = ("dataset", "requester", "purpose")
_TIMES: Final = ("since", "before")
BOOKS: Final[Mapping[str, Book]] = {
    "requesters": Book(
        "who may ask, how far it is trusted, until when and for what",
        _whole(listed_requesters),
        ("requester", "trust", "state", "expires", "purposes", "by"),
        ("requester", "state", "by"),
    ),
    "purposes": Book(
        "what may be asked for", _whole(listed_purposes), ("purpose", "settings", "at", "by"), ("purpose", "by")
    ),
    "datasets": Book(
        "data sets, their versions and policies",
        _whole(listed_datasets),
        ("dataset", "versions", "views", "policy", "at", "by"),
        ("dataset", "by"),
    ),
    "populations": Book(
        "which data sets are judged together, and how many people are in both",
        _whole(listed_populations),
        ("dataset", "population", "versions", "judged_with", "people_in_common"),
        ("dataset",),
    ),
    "policies": Book(
        "every policy that held, and who changed it",
        listed_policies,
        ("dataset", "at", "by", "changed", "policy"),
        ("dataset", "by", *_TIMES),
    ),
    "releases": Book(
        "what was released to whom",
        listed_releases,
        ("number", "dataset", "version", "requester", "purpose", "degree_reached", "state", "decided", "expires"),
        (*_NAMED, "state", "by", *_TIMES),
    ),
    "refusals": Book(
        "what was refused, and why",
        listed_refusals,
        ("entry", "at", "dataset", "requester", "purpose", "why", "by"),
        (*_NAMED, "by", *_TIMES),
    ),
    "approvals": Book(
        "requests that wait for an officer, or waited",
        listed_approvals,
        ("number", "dataset", "requester", "purpose", "trust", "state", "asked_by", "decided_by", "why"),
        (*_NAMED, "state", *_TIMES),
    ),
    "proposals": Book(
        "changes of policies that wait for a second person, or waited",
        listed_proposals,
        ("number", "dataset", "parts", "state", "proposed_by", "decided_by", "why"),
        ("dataset", "state", *_TIMES),
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


def listed_book(connection: Connection, name: str, filters: Mapping[str, str | None], **numbers: Any) -> list[Listed]:
    """Return a book, or the part of it that filters and numbers (:class:`.Part`) choose; unknown names are refused."""
    book = BOOKS[name]
    said = {key: value for key, value in filters.items() if value is not None}
    for key in sorted(said.keys() - set(book.filters)):
        raise WordingError(f"The list of {name} cannot be filtered by {key!r}.", f"By: {', '.join(book.filters)}.")
    for key, row_of in _KNOWN.items():
        if key in said:
            said[key] = row_of(connection, known_name(said[key]))["name"]
    begin, end = (None if key not in said else read_since(said.pop(key)) for key in _TIMES)
    return book.read(connection, Part(said, begin, end, **numbers))


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
