"""Where the desk keeps its books: a private SQLite file, or a PostgreSQL database."""

import glob
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import sqlalchemy
from sqlalchemy import Connection, NullPool, event, insert, select, text, update
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)

from shoal.errors import FileError, MissingExtraError
from shoal.interruptions import uninterrupted
from shoal.io.folders.lock_file import LockFile, abandoned

from .anchor import anchors_of, head_of
from .log import note
from .secret import SCHEMA, draw_secret
from .tables import ALWAYS, ANCHORS, METADATA, RELEASES, REQUESTERS, SECRET

__all__ = ["Store"]

_WAIT: Final = 600
"""How many seconds a command waits for another one that is deciding."""
_LOCK: Final = 0x5_40A1_DE5C
"""The number of the lock in PostgreSQL that one transaction at a time has."""
_OTHERS: Final = 0o077
_READING: Final = "shoal_reading"
_SNAPSHOT: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


class StoreAway(FileError):  # noqa: N818 - it reads as the sentence it means
    """The store cannot be reached or written now, which may pass: a request that needs it is not to blame."""

    http_status = 503


class Store:
    """Transactions one at a time, and marks that last as long as the process that made them."""

    def __init__(self, where: str | Path) -> None:
        """Open the store that is at a path, or at the address of a PostgreSQL database."""
        self._file = None if "://" in str(where) else Path(os.path.realpath(where))
        if self._file is not None:
            _refuse_unfit(self._file)
        self._engine = _engine(where, self._file)
        with _transaction(self._engine) as connection:
            if not _is_store(connection):
                raise FileError("This is not the store of a desk.", "Make one with shoal desk init.")
            is_anchored = sqlalchemy.inspect(connection).has_table(ANCHORS.name)
            is_present = is_anchored and connection.execute(select(SECRET.c.schema)).scalar() in (None, SCHEMA)
        if not is_present:
            with self.transaction() if is_anchored else _transaction(self._engine) as connection:
                _upgrade(connection)

    @classmethod
    def create(cls, where: str | Path) -> Self:
        """Make an empty store; a file is readable by its owner alone from the first byte on."""
        file = None if "://" in str(where) else Path(os.path.abspath(where))
        if file is not None:
            _make_private(file)
        engine = _engine(where, file)
        with _transaction(engine) as connection:
            if _is_store(connection):
                raise FileError("There is a desk already.")
            METADATA.create_all(connection)
            draw_secret(connection, "opened")
        return cls(where)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Return a connection that nobody else decides beside; all of what is done with it holds, or nothing.

        What it adds to the log is anchored outside, before it holds and after.
        """
        with _transaction(self._engine) as connection:
            before, anchors = head_of(connection), anchors_of(connection)
            yield connection
            after = head_of(connection)
            anchors = list(dict.fromkeys([*anchors, *anchors_of(connection)])) if after != before else []
            for anchor in anchors:
                anchor.write("before", before, after)
        for anchor in anchors:
            anchor.write("after", before, after)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Return a connection to read with, which waits for nobody who decides; what it reads fits together."""
        with _transaction(self._engine, reading=True) as connection:
            yield connection

    @contextmanager
    def held(self) -> Iterator[str]:
        """Return a token that is held until the block is left or the process is gone, however it goes."""
        if self._file is None:
            token = secrets.token_hex(16)
            with self._engine.connect() as connection:
                connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _key(token)})
                connection.commit()  # the lock is of the session, and no transaction need be open
                yield token
            return
        try:
            self._sweep_marks()
            mark = LockFile.make(self._file.parent, self._prefix)
        except OSError as error:
            raise FileError(
                f"The desk cannot write beside {self._file}: {os.strerror(error.errno or 0)}.", "Check its folder."
            ) from None
        if mark is None:
            raise FileError(f"The file system of {self._file} has no locks.", "Keep the desk on another one.")
        try:
            yield mark.token
        finally:
            with uninterrupted():
                mark.remove()

    def is_held(self, token: str) -> bool:
        """Tell whether a process that still runs holds a token."""
        if self._file is None:
            with self._engine.connect() as connection:
                sentence = text("SELECT pg_try_advisory_lock(:key)")
                return not connection.execute(sentence, {"key": _key(token)}).scalar_one()
        mark = self._file.with_name(f"{self._prefix}{token}")
        with abandoned(mark) as is_over:
            if is_over:
                mark.unlink(missing_ok=True)
            return mark.exists()

    def _sweep_marks(self) -> None:
        """Remove the marks of processes that were killed; whatever they had decided is settled without them."""
        assert self._file is not None
        for mark in self._file.parent.glob(f"{glob.escape(self._prefix)}*"):
            with abandoned(mark) as is_over:
                if is_over:
                    mark.unlink(missing_ok=True)

    @property
    def _prefix(self) -> str:
        assert self._file is not None
        return f"{self._file.name}-held-"


def _key(token: str) -> int:
    return int(token[:15], 16)


def _is_store(connection: Connection) -> bool:
    return sqlalchemy.inspect(connection).has_table("log")


def _upgrade(connection: Connection) -> None:
    """Add what a store of an earlier version lacks; what it has stays as it is. Refuse a store of a later version."""
    is_marked = sqlalchemy.inspect(connection).has_table(SECRET.name)
    schema = connection.execute(select(SECRET.c.schema)).scalar() if is_marked else None
    if is_marked and schema in (None, SCHEMA):
        return
    if schema is not None and schema > SCHEMA:
        raise FileError("This desk was made or changed by a later version of Shoal.", "Use that one.")
    for table in (REQUESTERS, RELEASES):
        _rebuild(connection, table)
    METADATA.create_all(connection)
    if connection.dialect.name == "postgresql":
        connection.execute(text(ALWAYS))
    if schema is None:
        draw_secret(connection, "upgraded")
    else:
        connection.execute(update(SECRET).values(schema=SCHEMA))
        note(connection, "upgraded", {"schema": SCHEMA})


def _rebuild(connection: Connection, table: sqlalchemy.Table) -> None:
    """Make a table anew that has got more columns, worded as in a new store; its rows stay, with nothing in these."""
    kept = [dict(row) for row in connection.execute(text(f"SELECT * FROM {table.name}")).mappings()]
    table.drop(connection)
    table.create(connection)
    if kept:
        connection.execute(insert(table), kept)


@contextmanager
def _transaction(engine: sqlalchemy.Engine, *, reading: bool = False) -> Iterator[Connection]:
    isolation: dict[str, Any] = {_READING: True} if engine.dialect.name == "sqlite" else _SNAPSHOT
    options = isolation if reading else {}
    try:
        with engine.connect().execution_options(**options) as connection, connection.begin():
            if engine.dialect.name == "postgresql" and not reading:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection
    except SQLAlchemyError as error:  # its text may hold anything
        if _is_full(error):
            raise StoreAway("The store of the desk cannot be written: the disk is full.", "Make room there.") from None
        raise (StoreAway if isinstance(error, OperationalError | InterfaceError) else FileError)(
            f"The store of the desk cannot be used ({type(error).__name__}).",
            "Check that it is there, and that it is a desk.",
        ) from None


def _is_full(error: SQLAlchemyError) -> bool:
    """Tell whether SQLite or PostgreSQL says that there is no room."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    return getattr(cause, "sqlite_errorname", None) == "SQLITE_FULL" or getattr(cause, "sqlstate", None) == "53100"


def _engine(where: str | Path, file: Path | None) -> sqlalchemy.Engine:
    if file is not None:
        address = sqlalchemy.URL.create("sqlite", database=str(file))
        engine = sqlalchemy.create_engine(
            address, poolclass=NullPool, hide_parameters=True, connect_args={"timeout": _WAIT}
        )
        event.listen(engine, "connect", _leave_transactions_alone)
        event.listen(engine, "begin", _begin_at_once)
        return engine
    try:
        address = sqlalchemy.make_url(str(where))
        if address.get_backend_name() != "postgresql":
            raise FileError("A desk is kept in an SQLite file or in PostgreSQL.", "Write a path, or postgresql://….")
        address = address.set(drivername="postgresql+psycopg")
        return sqlalchemy.create_engine(address, poolclass=NullPool, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise FileError("The address of the store cannot be read.", "Write a path, or postgresql://….") from None
    except ImportError:
        raise MissingExtraError(
            "PostgreSQL needs a driver that is not installed.", "Install it: pip install 'shoal[postgres]'."
        ) from None


def _leave_transactions_alone(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # Python's driver would begin them late, when somebody else may have read too


def _begin_at_once(connection: Connection) -> None:
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _make_private(file: Path) -> None:
    if not file.parent.is_dir():
        raise FileError(f"{file} cannot be made: the folder {file.parent} does not exist.", "Create it first.")
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise FileError(f"{file} exists already.", "Choose another name.") from None
    except OSError as error:
        raise FileError(f"{file} cannot be made: {os.strerror(error.errno or 0)}.") from None


def _refuse_unfit(file: Path) -> None:
    if not file.is_file():
        raise FileError(f"There is no desk at {file}.", "Make one with shoal desk init.")
    if file.stat().st_mode & _OTHERS:
        raise FileError(f"Others than its owner can open {file}.", f"Make it private again: chmod 600 {file}")
