"""Desks to try: an SQLite file always, and PostgreSQL where SHOAL_TEST_POSTGRES has the address of a server."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy

SERVER = os.environ.get("SHOAL_TEST_POSTGRES", "")


@pytest.fixture(params=["sqlite", "postgresql"] if SERVER else ["sqlite"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give where an empty desk may be made."""
    if request.param == "sqlite":
        yield str(tmp_path / "desk.sqlite")
        return
    server = sqlalchemy.make_url(SERVER).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    name = f"desk_{secrets.token_hex(6)}"
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
    yield server.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"DROP DATABASE {name} WITH (FORCE)"))
