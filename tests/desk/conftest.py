"""Desks to try: an SQLite file, and PostgreSQL.

The PostgreSQL server is one that the tests start and stop, or the one whose address SHOAL_TEST_POSTGRES has.
"""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy

from postgres_server import postgres_server, why_there_is_none


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the address of a PostgreSQL server, or skip."""
    given = os.environ.get("SHOAL_TEST_POSTGRES", "")
    if given:
        yield given
        return
    lacking = why_there_is_none()
    if lacking is not None:
        pytest.skip(lacking)
    with postgres_server() as address:
        yield address


@pytest.fixture
def postgres(server: str) -> Iterator[str]:
    """Return the address of an empty schema: making a database for each test would take longer than the test."""
    address = sqlalchemy.make_url(server).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    name = f"desk_{secrets.token_hex(6)}"
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    own = address.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where an empty desk may be made."""
    return str(tmp_path / "desk.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres")
