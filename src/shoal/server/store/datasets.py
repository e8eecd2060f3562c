"""The table of data sets: files that were uploaded, or that are registered where they are."""

import secrets
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import delete, insert, select, update

from shoal.desk.clock import now
from shoal.desk.store.rows import rows

from .books import Books
from .tables import DATASETS

__all__ = ["DatasetRow", "Datasets"]


@dataclass(frozen=True)
class DatasetRow:
    """A data set as kept."""

    id: str
    user: str
    name: str
    path: str | None
    sha256: str | None
    bytes: int
    state: Literal["empty", "ready"]
    """``empty``: its content has not come yet."""
    made: str
    overview_job: str | None


class Datasets:
    """The data sets in the books."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def add(self, user: str, name: str, *, path: str | None = None, size: int = 0) -> DatasetRow:
        """Write down a data set; without a path its content is still to come."""
        row: dict[str, Any] = {"id": secrets.token_hex(8), "user": user, "name": name, "path": path, "sha256": None}
        row |= {"bytes": size, "state": "empty" if path is None else "ready", "made": now(), "overview_job": None}
        with self._books.transaction() as connection:
            connection.execute(insert(DATASETS).values(**row))
            self._books.note(connection, "data set", dataset=row["id"], uploaded=path is None)
        return DatasetRow(**row)

    def get(self, id_: str) -> DatasetRow | None:
        """Return a data set."""
        with self._books.reading() as connection:
            found = rows(connection, select(DATASETS).where(DATASETS.c.id == id_))
        return _row(found[0]) if found else None

    def of_user(self, user: str) -> list[DatasetRow]:
        """Return the data sets of a user, the newest first."""
        asked = select(DATASETS).where(DATASETS.c.user == user).order_by(DATASETS.c.number.desc())
        with self._books.reading() as connection:
            return [_row(row) for row in rows(connection, asked)]

    def change(self, id_: str, part: str | None = None, **new: Any) -> None:
        """Change what is kept of a data set; ``part`` says what somebody has sent anew, which goes into the log."""
        with self._books.transaction() as connection:
            connection.execute(update(DATASETS).where(DATASETS.c.id == id_).values(**new))
            if part is not None:
                self._books.note(connection, "data set changed", dataset=id_, part=part)

    def remove(self, id_: str) -> bool:
        """Forget a data set."""
        with self._books.transaction() as connection:
            gone = connection.execute(delete(DATASETS).where(DATASETS.c.id == id_)).rowcount > 0
            if gone:
                self._books.note(connection, "data set removed", dataset=id_)
        return gone


def _row(kept: dict[str, Any]) -> DatasetRow:
    return DatasetRow(**{field: kept[field] for field in DatasetRow.__dataclass_fields__})
