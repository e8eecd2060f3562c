"""Databases, by the URL that SQLAlchemy takes; they are only read, and only once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from shoal.errors import FileError, MissingExtraError
from shoal.io.formats.base import Format
from shoal.io.formats.contents import Contents
from shoal.io.formats.registry import formats
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import Schema

from .answer import answer_of
from .statement import statement_for

__all__ = ["Database"]

_OF_FILES = frozenset(["http", "https", "ftp", "sftp", "file", "s3", "gs", "az", "abfs", "abfss", "hdfs"])


@formats.add
@dataclass(frozen=True)
class Database(Format):
    """A table of a database, or the answer to a query."""

    name: ClassVar[str] = "database"
    title: ClassVar[str] = "a database"
    endings: ClassVar[tuple[str, ...]] = ()
    streamed: ClassVar[bool] = False
    selected_by: ClassVar[str | None] = "query"

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether this is the URL of a database."""
        return contents.location is not None and contents.location.is_database

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        """Ask once and keep the answer in memory: a second one might differ."""
        location = contents.location
        if location is None or not location.is_database:
            raise FileError(f"{contents.name} is not a database.", "Write a URL, such as sqlite:///people.db.")
        query = location.query if location.query is not None else schema.query if schema is not None else None
        url = _read_only(_url(location.path), contents.name)
        engine = _engine(url, contents.name)
        try:
            statement, what = statement_for(engine, contents.name, query)
            data = answer_of(engine, url, statement, contents.name)
        finally:
            engine.dispose()
        settings = {} if schema is None or schema.query is None else {"query": query}
        notes = (*contents.notes, f"It is {what}.")
        return TabularFile(contents.name, tuple(data.columns), data.lazy(), data.height, False, notes, settings)


def _url(text: str) -> Any:
    import sqlalchemy
    from sqlalchemy import exc

    scheme = text.partition("://")[0].lower()
    if scheme in _OF_FILES:
        raise FileError(f"Files are not read by a URL such as {scheme}://….", "Fetch the file, and give its path.")
    if scheme == "postgres":
        raise FileError("There is no database of the kind postgres://.", "Write the URL as postgresql://….")
    try:
        url = sqlalchemy.make_url(text)
        url.get_backend_name()
    except (exc.SQLAlchemyError, ValueError):
        raise FileError(
            "The URL of the database cannot be read.", "Write it as postgresql://user@host/name or sqlite:///people.db."
        ) from None
    return url


def _read_only(url: Any, name: str) -> Any:
    """Return the URL of a SQLite file so that it is only read: by default, a file that is not there would be made."""
    if url.get_backend_name() != "sqlite" or url.database is None or url.database.startswith(":memory:"):
        return url
    if url.database.startswith("file:"):
        return url.set(query={**url.query, "mode": "ro", "uri": "true"})
    file = Path(url.database)
    if not file.is_file():
        raise FileError(
            f"There is no file for {name}.", "Check the path: sqlite:///people.db, or sqlite:////data/a.db."
        )
    return url.set(database=f"file:{quote(str(file.absolute()))}", query={"mode": "ro", "uri": "true"})


def _engine(url: Any, name: str) -> Any:
    import sqlalchemy
    from sqlalchemy import exc

    driver = "postgresql+psycopg" if url.drivername == "postgresql" else str(url.drivername)
    try:
        return sqlalchemy.create_engine(url.set(drivername=driver))
    except (ImportError, exc.NoSuchModuleError):
        cure = "Run: pip install 'shoal[postgres]'" if driver.startswith("postgresql") else "Install its driver."
        raise MissingExtraError(f"The driver for {name} is not installed.", cure) from None
    except (exc.SQLAlchemyError, TypeError, ValueError):
        raise FileError(f"The URL of {name} has settings that its driver does not know.", "Check it.") from None
