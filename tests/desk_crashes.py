"""A process that dies at any moment of its work at a desk, and all that the store of the desk then holds.

A moment is just before a statement or a commit is sent to the database, or just after a commit has held. From then on
the process does nothing more: whatever it would still send is not sent.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import event, insert
from sqlalchemy.engine.default import DefaultDialect

from shoal.desk.store.tables import METADATA

__all__ = ["Books", "Killed", "Life", "connected", "emptied", "lived", "meddle", "put_back", "read_books"]

Books = dict[str, list[dict[str, Any]]]
"""The rows of each table, and under ``tables`` how the tables themselves are made."""


class Killed(BaseException):
    """The process is gone."""


class Life:
    """How many moments of a process have passed, and how many of its commits have held."""

    def __init__(self, dies_at: int) -> None:
        self._dies_at = dies_at
        self.moments = 0
        self.commits = 0
        self.is_paused = False

    def moment(self, *_: object) -> None:
        """Let a moment pass, or the process die."""
        if self.is_paused:
            return
        self.moments += 1
        if self.moments >= self._dies_at:
            raise Killed

    @property
    def is_over(self) -> bool:
        """Whether the process died."""
        return self.moments >= self._dies_at


@contextmanager
def lived(dies_at: int, after_commit: Any = lambda: None) -> Iterator[Life]:
    """Let the process die at a moment of the block, the first one being 1; ``after_commit`` is called after each."""
    life, commit = Life(dies_at), DefaultDialect.do_commit

    def committed(self: DefaultDialect, dbapi_connection: Any) -> None:
        commit(self, dbapi_connection)
        if not life.is_paused:
            life.commits += 1
            life.is_paused = True  # what is looked at now is not the work of the process
            after_commit()
            life.is_paused = False
            life.moment()

    watched = [("before_cursor_execute", life.moment), ("commit", life.moment)]
    for name, listener in watched:
        event.listen(sqlalchemy.Engine, name, listener)
    DefaultDialect.do_commit = committed  # no event tells that a commit has held
    try:
        yield life
    except Killed:
        pass
    finally:
        DefaultDialect.do_commit = commit
        for name, listener in watched:
            event.remove(sqlalchemy.Engine, name, listener)


def _address(where: str) -> str:
    return where.replace("postgresql:", "postgresql+psycopg:") if "://" in where else f"sqlite:///{where}"


@contextmanager
def connected(where: str) -> Iterator[sqlalchemy.Connection]:
    """Return a connection to a store behind the back of its desk."""
    engine = sqlalchemy.create_engine(_address(where), poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        yield connection


def meddle(where: str, *statements: str) -> None:
    """Change a store behind the back of its desk."""
    with connected(where) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


_MADE = {
    "sqlite": "SELECT name AS \"table\", sql AS made FROM sqlite_master WHERE type = 'table' ORDER BY name",
    "postgresql": (
        "SELECT table_name AS \"table\", string_agg(column_name, ' ' ORDER BY ordinal_position) AS made "
        "FROM information_schema.columns WHERE table_schema = current_schema() GROUP BY table_name ORDER BY table_name"
    ),
}


def read_books(where: str) -> Books:
    """Return all that a store holds; nothing of the desk is asked."""
    with connected(where) as connection:
        made = [dict(row) for row in connection.exec_driver_sql(_MADE[connection.dialect.name]).mappings()]
        return {"tables": made} | {
            each["table"]: sorted(
                (dict(row) for row in connection.exec_driver_sql(f"SELECT * FROM {each['table']}").mappings()),
                key=lambda row: repr(sorted(row.items())),
            )
            for each in made
        }


def emptied(where: str) -> str:
    """Forget all that was kept there, and return where."""
    if "://" not in where:
        Path(where).unlink(missing_ok=True)
        return where
    name = str(sqlalchemy.make_url(where).query["options"]).removeprefix("-csearch_path=")
    meddle(where, f"DROP SCHEMA IF EXISTS {name} CASCADE", f"CREATE SCHEMA {name}")
    return where


def put_back(where: str, books: Books) -> None:
    """Let a store of the present version hold what it held once."""
    if "://" not in emptied(where):
        Path(where).touch(0o600)
    with connected(where) as connection:
        METADATA.create_all(connection, checkfirst=False)
        for table in METADATA.sorted_tables:
            if rows := books[table.name]:
                connection.execute(insert(table), sorted(rows, key=lambda row: row.get("number", 0)))
