"""Where the data of the desk are: the desk keeps fingerprints alone, and the service knows the files."""

from collections.abc import Collection

from sqlalchemy import insert, select

from shoal.desk.names import known_name
from shoal.desk.store.rows import rows

from .books import Books
from .tables import DESK_SOURCES

__all__ = ["DeskSources"]


class DeskSources:
    """Which data set of the service holds which version of a data set of the desk."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def add(self, name: str, version: int, dataset: str) -> None:
        """Write down where a version is; what is known already stays as it is."""
        name = known_name(name)
        with self._books.transaction() as connection:
            is_it = (DESK_SOURCES.c.name == name) & (DESK_SOURCES.c.version == version)
            if not rows(connection, select(DESK_SOURCES).where(is_it)):
                connection.execute(insert(DESK_SOURCES).values(name=name, version=version, dataset=dataset))

    def of(self, name: str) -> list[str]:
        """Return the data sets that hold the versions of one of the desk, the newest first."""
        asked = (
            select(DESK_SOURCES).where(DESK_SOURCES.c.name == known_name(name)).order_by(DESK_SOURCES.c.version.desc())
        )
        with self._books.reading() as connection:
            return [row["dataset"] for row in rows(connection, asked)]

    def of_all(self, names: Collection[str]) -> dict[tuple[str, int], str]:
        """Return the data set that holds each version of some data sets of the desk."""
        asked = select(DESK_SOURCES).where(DESK_SOURCES.c.name.in_(list(names)))
        with self._books.reading() as connection:
            return {(row["name"], row["version"]): row["dataset"] for row in rows(connection, asked)}

    def uses(self, dataset: str) -> bool:
        """Tell whether the desk needs a data set."""
        with self._books.reading() as connection:
            return bool(rows(connection, select(DESK_SOURCES).where(DESK_SOURCES.c.dataset == dataset)))
