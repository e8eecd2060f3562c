"""Where data are: a file, a folder, a pattern of names, a database or standard input, and which part of it is meant."""

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

__all__ = ["Location"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+._-]+://")
_BROKEN_URL = re.compile(r"[A-Za-z][A-Za-z0-9+._-]+:.*@", re.DOTALL)
_PASSWORD = re.compile(r"(://[^:@/?#]*):.*@", re.DOTALL)  # to the last @: a password may have any character
_HARMLESS = re.compile(
    r"(?:application_name|charset|client_encoding|connect_timeout|driver|host|hostaddr|mode|port|schema|service|sslmode|"
    r"target_session_attrs|timeout|trusted_connection|uri|warehouse)=[^=]*",
    re.IGNORECASE,
)
"""Settings of a URL that are kept: any other may be a password, or hold one, as ``odbc_connect`` does."""


@dataclass(frozen=True, repr=False)
class Location:
    """Where data are, and which part of them is meant."""

    path: str
    """A file, a folder, a pattern such as ``data/*.parquet``, the URL of a database, or ``-`` for standard input."""
    sheet: str | None = None
    """The sheet of a workbook."""
    query: str | None = None
    """What to ask a database: a query that reads, or the name of a table."""
    format: str | None = None
    """The format by its name; if omitted, it is recognized."""
    encoding: str | None = None
    """The encoding of text; if omitted, it is that of the schema, or recognized."""

    def __repr__(self) -> str:
        return f"Location({self.name!r})"

    @classmethod
    def of(cls, data: "str | Path | Location") -> "Location":
        """Return the location that a path stands for; a location stands for itself."""
        return data if isinstance(data, Location) else cls(str(data))

    @property
    def is_database(self) -> bool:
        """Whether it is the URL of a database."""
        return _URL.match(self.path) is not None

    @property
    def is_broken_url(self) -> bool:
        """Whether it is rather meant as the URL of a database than as a path, and may thus hold a password."""
        return not self.is_database and _BROKEN_URL.match(self.path) is not None

    @property
    def is_standard_input(self) -> bool:
        """Whether the data come from standard input."""
        return self.path == "-"

    @property
    def is_pattern(self) -> bool:
        """Whether it is a pattern that may match several files."""
        return not self.is_database and any(mark in self.path for mark in "*?[")

    @property
    def name(self) -> str:
        """A name to print; that of a database never holds user, password or host."""
        if self.is_standard_input:
            return "standard input"
        if not self.is_database:
            return PurePath(self.path).name or self.path
        rest = re.split(r"[?#]", self.without_password().path.partition("://")[2])[0]
        return f"the database {rest.rpartition('/')[2] if '/' in rest else ''}".strip()

    def below(self, folder: Path) -> "Location":
        """Return the location with its path, if it is relative, starting from the folder."""
        kind, _, file = self.path.partition(":///")
        if self.is_standard_input or (self.is_database and not (kind.startswith("sqlite") and file)):
            return self
        if self.is_database:
            path = file if file.startswith((":memory:", "file:")) else str(folder / file)
            return replace(self, path=f"{kind}:///{path}")
        return replace(self, path=str(folder / self.path))

    def without_password(self) -> "Location":
        """Return the same location, but for the password and for settings of a URL that are not known as harmless."""
        if not self.is_database:
            return self
        plain, _, settings = _PASSWORD.sub(r"\1@", self.path).partition("?")
        if not plain.lower().startswith("sqlite"):  # names of its files may have these marks
            plain = re.split(r"[#;]", plain)[0]
        kept = [each for each in re.split(r"[&;#]", settings) if _HARMLESS.fullmatch(each)]
        return replace(self, path=plain + ("?" + "&".join(kept) if kept else ""))
