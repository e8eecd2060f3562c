"""The table of releases that jobs have made."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select

from shoal.desk.actor import acting_as
from shoal.desk.clock import now
from shoal.desk.store.rows import rows

from .books import Books
from .tables import RELEASES

__all__ = ["ReleaseRow", "Releases"]


@dataclass(frozen=True)
class ReleaseRow:
    """A release as kept."""

    id: str
    user: str
    job: str
    dataset: str | None
    made: str
    certificate: dict[str, Any]


class Releases:
    """The releases in the books."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def add(self, id_: str, user: str, job: str, dataset: str | None, certificate: dict[str, Any]) -> None:
        """Write down a release that was made; one that is known already stays as it is."""
        row = {"id": id_, "user": user, "job": job, "dataset": dataset, "made": now()}
        with self._books.transaction() as connection:
            if not rows(connection, select(RELEASES.c.id).where(RELEASES.c.id == id_)):
                connection.execute(insert(RELEASES).values(**row, certificate=json.dumps(certificate)))
                with acting_as(f"user {user}"):
                    self._books.note(connection, "release", release=id_, dataset=dataset)

    def get(self, id_: str) -> ReleaseRow | None:
        """Return a release."""
        with self._books.reading() as connection:
            found = rows(connection, select(RELEASES).where(RELEASES.c.id == id_))
        return _row(found[0]) if found else None

    def of_user(self, user: str, *, before: str | None = None, most: int = 100) -> list[ReleaseRow]:
        """Return releases of a user, the newest first: those made before one of them, at most so many."""
        asked = select(RELEASES).where(RELEASES.c.user == user).order_by(RELEASES.c.number.desc())
        with self._books.reading() as connection:
            last = rows(connection, select(RELEASES.c.number).where(RELEASES.c.id == before)) if before else []
            if last:
                asked = asked.where(RELEASES.c.number < last[0]["number"])
            return [_row(row) for row in rows(connection, asked.limit(most))]

    def remove(self, id_: str) -> bool:
        """Forget a release; the log keeps that it was."""
        with self._books.transaction() as connection:
            gone = connection.execute(delete(RELEASES).where(RELEASES.c.id == id_)).rowcount > 0
            if gone:
                self._books.note(connection, "release removed", release=id_)
        return gone


def _row(kept: dict[str, Any]) -> ReleaseRow:
    fields = {field: kept[field] for field in ReleaseRow.__dataclass_fields__}
    return ReleaseRow(**{**fields, "certificate": json.loads(kept["certificate"])})
