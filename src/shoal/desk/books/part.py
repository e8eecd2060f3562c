"""Which rows of a book are asked for: what filters choose of them, and so many from a number on."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Table, select

from shoal.desk.store.rows import rows

__all__ = ["Listed", "Part", "chosen_rows"]

Listed = dict[str, Any]
_CHUNK: Final = 500


@dataclass(frozen=True)
class Part:
    """A part of a book; everything unless said otherwise."""

    said: Mapping[str, str] = field(default_factory=dict)
    """What each row must say, column by column."""
    since: str | None = None
    before: str | None = None
    """The times between which something happened."""
    most: int | None = None
    """How many rows there are at most."""
    after: int = 0
    """Only rows with larger numbers, where rows are numbered."""
    upto: int | None = None
    """Only rows with numbers up to this one."""
    newest_first: bool = False

    def fits(self, row: Listed, dated: str) -> bool:
        """Tell whether a row is chosen by the filters; ``dated`` names what says when it happened."""
        return (
            all(row.get(key) == value for key, value in self.said.items())
            and (self.since is None or self.since <= row[dated])
            and (self.before is None or row[dated] < self.before)
        )


def chosen_rows(
    connection: Connection,
    table: Table,
    part: Part,
    dated: str,
    told: Callable[[list[Listed]], list[Listed]],
    *conditions: ColumnElement[bool],
) -> list[Listed]:
    """Return the rows of a numbered table that a part chooses, as they are told.

    The conditions leave out in the store what cannot be chosen; the part itself decides.
    """
    found = []
    for chunk in _chunks(connection, table, part, *conditions, *_between(table.c[dated], part)):
        for row in told(chunk):
            if part.fits(row, dated):
                found.append(row)
                if len(found) == part.most:
                    return found
    return found


def _between(column: Column[Any], part: Part) -> list[ColumnElement[bool]]:
    since = [] if part.since is None else [column >= part.since]
    return since if part.before is None else [*since, column < part.before]


def _chunks(
    connection: Connection, table: Table, part: Part, *conditions: ColumnElement[bool]
) -> Iterator[list[Listed]]:
    """Yield rows in order, a few at a time where a few are asked for."""
    number, size = table.c.number, None if part.most is None else max(part.most, _CHUNK)
    asked = select(table).where(number > part.after, *conditions)
    asked = asked if part.upto is None else asked.where(number <= part.upto)
    asked = asked.order_by(number.desc() if part.newest_first else number).limit(size)
    chunk = rows(connection, asked)
    yield chunk
    while size is not None and len(chunk) == size:
        last = chunk[-1]["number"]
        chunk = rows(connection, asked.where(number < last if part.newest_first else number > last))
        yield chunk
