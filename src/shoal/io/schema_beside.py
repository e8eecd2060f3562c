"""The schema that lies beside data and bears their name: ``people.schema.toml`` beside ``people.csv``."""

from pathlib import Path

from shoal.assumed import assume
from shoal.io.formats.location import Location

__all__ = ["schema_beside", "schema_name", "tell_taken"]

_COMPRESSED = (".gz", ".zip")


def schema_name(data: object) -> Path | None:
    """Return where the schema of data lies if it lies beside them: ``r.schema.toml`` for ``r.csv`` and ``r.csv.gz``.

    Only what is at a path has something beside it: a frame, a database and standard input have not.
    """
    if not isinstance(data, str | Path | Location):
        return None
    location = Location.of(data)
    path = Path(location.path)
    if location.is_database or location.is_standard_input or location.is_pattern or not path.name:
        return None
    while path.suffix.lower() in _COMPRESSED:
        path = path.with_suffix("")
    return path.with_suffix(".schema.toml")


def schema_beside(data: object) -> Path | None:
    """Return the schema that lies beside data under their name, if there is one.

    A file that is called ``schema.toml`` belongs to its folder and is taken with a release alone: it does not say which
    of several files it describes.
    """
    named = schema_name(data)
    if named is None or not named.is_file():
        return None
    assert isinstance(data, str | Path | Location)
    return named if Path(Location.of(data).path).exists() else None


def tell_taken(schema: Path) -> str:
    """Tell that the schema beside the data was taken."""
    return assume(f"The schema {schema.name} was taken, which lies beside the data; --schema names another.")
