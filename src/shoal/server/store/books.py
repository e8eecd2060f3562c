"""The books of the service: one database with those of the desk, opened once."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection

from shoal.desk import Desk
from shoal.desk.store import Store
from shoal.desk.store.log import note
from shoal.errors import FileError

from .tables import SERVICE_METADATA

__all__ = ["Books"]


class Books:
    """Transactions on the tables of the service, and entries in the log of the desk."""

    def __init__(self, where: str) -> None:
        """Open the desk at a path or an address, and make it where there is none."""
        self.where = where
        with suppress(FileError):  # there is one already; or none can be made, which opening it says better
            Desk.create(where)
        self._store = Store(where)
        with self._store.transaction() as connection:
            SERVICE_METADATA.create_all(connection)

    def desk(self) -> Desk:
        """Return the desk whose books these are."""
        return Desk(self.where)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Return a connection that nobody else decides beside; all of what is done with it holds, or nothing."""
        with self._store.transaction() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Return a connection to read with, which waits for nobody who decides."""
        with self._store.reading() as connection:
            yield connection

    def note(self, connection: Connection, event: str, **details: object) -> None:
        """Write into the log what somebody did."""
        note(connection, event, details)
