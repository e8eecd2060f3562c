"""A PostgreSQL server for tests: its own cluster in a temporary folder, on a free loopback port, gone afterward."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sqlalchemy

__all__ = ["empty_schema", "postgres_server", "why_there_is_none"]

_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=40", "shared_buffers=16MB")
_PATIENCE = 30.0


def why_there_is_none() -> str | None:
    """Return why no server can be started here, or None."""
    if find_spec("psycopg") is None:
        return "the driver is not installed: pip install 'shoal[postgres]'"
    if _programs() is None:
        return "PostgreSQL is not installed: neither initdb and postgres on the PATH nor in /usr/lib/postgresql"
    if os.geteuid() == 0 and _unprivileged() is None:
        return "PostgreSQL does not run as root, and there is neither a user 'postgres' nor 'nobody'"
    return None


@contextmanager
def empty_schema(server: str) -> Iterator[str]:
    """Yield the address of an empty schema: making a database for each test would take longer than the test."""
    address = sqlalchemy.make_url(server).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    name = f"desk_{secrets.token_hex(6)}"
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    own = address.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server, and give its address; stop it and remove its cluster when the block is left."""
    programs = _programs()
    assert programs is not None
    folder, password = Path(tempfile.mkdtemp(prefix="shoal-postgres-", dir="/tmp")), secrets.token_hex(16)
    try:
        (folder / "password").write_text(password, encoding="ascii")
        _hand_over(folder)
        made = [programs / "initdb", "-D", folder / "cluster", "-U", "tests", "-A", "scram-sha-256", "--no-sync"]
        made += ["--pwfile", folder / "password", "-E", "UTF8", "--locale", "C"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, **_as_somebody(folder))
        with _running(programs / "postgres", folder, password) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(postgres: Path, folder: Path, password: str) -> Iterator[str]:
    for _ in range(5):  # somebody else may take the port between the look and the start
        port = _free_port()
        settings = (*_FAST, "listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=")
        asked = [postgres, "-D", folder / "cluster", *(word for each in settings for word in ("-c", each))]
        with (folder / "log").open("ab") as log:
            process = subprocess.Popen(asked, stdout=log, stderr=log, **_as_somebody(folder))
        try:
            url = f"postgresql://tests:{password}@127.0.0.1:{port}/postgres"
            if _answers(process, url):
                yield url
                return
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: nothing of it is needed any more
            process.wait(_PATIENCE)
    raise RuntimeError("The PostgreSQL server of the tests did not start.")


def _answers(process: subprocess.Popen[Any], url: str) -> bool:
    """Wait until the server takes a connection: it listens before that, and refuses everybody while it starts up."""
    import psycopg

    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return True
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _programs() -> Path | None:
    """Return the folder of the server's programs: on the PATH, or where Debian puts them, the newest first."""
    found = shutil.which("initdb")
    candidates = [Path(found).resolve().parent] if found else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: each.parent.name, reverse=True)
    return next((each for each in candidates if (each / "initdb").is_file() and (each / "postgres").is_file()), None)


def _unprivileged() -> pwd.struct_passwd | None:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def _as_somebody(folder: Path) -> dict[str, Any]:
    """Return how a program of the server is run: as a user without rights where the tests run as root."""
    user = _unprivileged() if os.geteuid() == 0 else None
    who = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return {"cwd": folder, **who}


def _hand_over(folder: Path) -> None:
    user = _unprivileged() if os.geteuid() == 0 else None
    if user is not None:
        for path in (folder, folder / "password"):
            os.chown(path, user.pw_uid, user.pw_gid)
