"""Read data: from a file, a folder, or as they were read before."""

from pathlib import Path
from typing import Literal

from shoal import io
from shoal.errors import WordingError
from shoal.io.schema import Schema, read_schema

__all__ = ["read"]


def read(
    data: "str | Path | io.Source",
    schema: Schema | str | Path | None = None,
    *,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
) -> io.Source:
    """Give the records of a file or folder, with what was understood of them.

    A schema may be given as an object or as a file; a source that was read before is given back, and neither a schema
    nor what to do with duplicates can be said of it any more.
    """
    if isinstance(data, io.Source):
        if schema is not None:
            raise WordingError("These data were read with a schema already.", "Give the file, or leave out the schema.")
        if duplicates != "refuse":
            raise WordingError(
                "These data were read already, and have no duplicates.", "Say what to do with them in shoal.read."
            )
        return data
    if isinstance(schema, str | Path):
        schema = read_schema(schema)
    return io.read(data, schema, duplicates=duplicates)
