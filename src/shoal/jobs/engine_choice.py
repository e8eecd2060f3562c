"""Where a job is done: in memory, or on rows that stay on disk because they do not fit into it.

``local`` reads everything into memory. ``stream`` keeps records on disk and takes little memory; it is chosen, and said
to be, where a table would need more than the memory that may be used.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from shoal.assumed import assume
from shoal.backends import Backend
from shoal.backends.stream import StreamBackend
from shoal.errors import SchemaError, WordingError
from shoal.io import Data
from shoal.io.folders.staging import staging_folder
from shoal.io.formats import Location
from shoal.io.formats.data_files import find_contents, folder_schema, open_data
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schema_beside import schema_beside, tell_taken
from shoal.io.schemas import GivenSchema, TableSchema, given_schema, read_schema

__all__ = ["EngineName", "TableOnDisk", "opened_backend", "table_on_disk"]

EngineName = Literal["auto", "local", "stream"]

_SMALL = 64 << 20
"""Files of fewer bytes than this are read into memory without a look at how many records they have."""
_VALUE_BYTES = 50
"""How much memory a value of a table takes while it is published, in bytes."""
_SIZE = re.compile(r"(\d{1,12}(?:\.\d{1,3})?)\s*(|[KMGT])(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class TableOnDisk:
    """A table that is not read into memory, and its schema."""

    file: TabularFile
    schema: TableSchema
    memory: int
    """How many bytes may be used."""


def table_on_disk(
    data: Data, schema: GivenSchema | None, engine: EngineName, memory: str | None = None
) -> TableOnDisk | None:
    """Return the table that is to stay on disk; None where the data are to be read into memory."""
    allowed = _bytes_allowed(memory)
    if engine == "local":
        return None
    if not isinstance(data, str | Path | Location) or Location.of(data).is_database or _is_stream(data):
        return _none_unless(engine, "Only tables in files stay on disk.")
    if engine == "auto" and _bytes_on_disk(data) < min(_SMALL, allowed):
        return None
    given = _schema_of(data, schema)
    if not isinstance(given, TableSchema):
        return _none_unless(engine, "Only tables stay on disk so far, and these data are ratings, or have no schema.")
    if given.people is not None:
        return _none_unless(engine, "A release that states numbers of people is read into memory.")
    file = open_data(data, given)
    needed = file.rows * len(file.names) * _VALUE_BYTES
    if engine == "auto" and needed <= allowed:
        return None
    if engine == "auto":
        assume(
            f"Records stay on disk (--engine stream): in memory they would take about {needed >> 20:,} MiB, and "
            f"{allowed >> 20:,} MiB may be used."
        )
    return TableOnDisk(file, given, allowed)


def _none_unless(engine: EngineName, why: str) -> None:
    if engine == "stream":
        raise WordingError(why, "Leave out --engine stream.")


def _is_stream(data: str | Path | Location) -> bool:
    return Location.of(data).is_standard_input


def _bytes_on_disk(data: str | Path | Location) -> int:
    return sum(each.size() for each in find_contents(data))


def _schema_of(data: str | Path | Location, schema: GivenSchema | None) -> object:
    if schema is not None:
        return given_schema(schema)
    found = folder_schema(data)
    if found is not None:
        return read_schema(found)
    beside = schema_beside(data)
    if beside is None:
        return None
    told = tell_taken(beside)
    try:
        return read_schema(beside)
    except SchemaError as error:
        raise SchemaError(error.message, f"{error.cure} {told}".strip(), error.declare) from None


def _bytes_allowed(memory: str | None) -> int:
    if memory is None:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    written = _SIZE.fullmatch(memory.strip())
    if written is None or float(written[1]) == 0:
        raise WordingError(f"{memory!r} is not an amount of memory.", "Write --memory 4GiB, for example.")
    return int(float(written[1]) * _UNITS[written[2].upper()])


@contextmanager
def opened_backend(memory: int) -> Iterator[Backend]:
    """Yield the backend that keeps rows on the disk of this machine, in the folder for temporary files."""
    with staging_folder(Path(tempfile.gettempdir())) as folder, StreamBackend(folder / "rows", memory) as backend:
        yield backend
