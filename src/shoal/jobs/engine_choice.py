"""Where a job is done: in memory, or on rows that stay where they are because they do not fit into it.

``local`` reads everything into memory. ``stream`` keeps records on disk and takes little memory; it is chosen, and said
to be, where a table would need more than the memory that may be used. On a cluster of Spark records stay there.
"""

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeGuard

from shoal.assumed import assume
from shoal.backends import Backend
from shoal.backends.spark import SparkBackend, SparkFrame, SparkTable, is_spark_frame
from shoal.backends.stream import StreamBackend
from shoal.errors import SchemaError, WordingError
from shoal.io import Data
from shoal.io.folders.staging import faults_named_by, staging_folder
from shoal.io.formats import Location
from shoal.io.formats.data_files import find_contents, folder_schema, open_data
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schema_beside import schema_beside, tell_taken
from shoal.io.schemas import GivenSchema, Schema, TableSchema, given_schema, read_schema
from shoal.peak_memory import memory_there_is

from .asked_engine import OpenCluster, Where
from .frame_on_cluster import frame_on_cluster

__all__ = [
    "TableOnDisk",
    "bytes_allowed",
    "certainly_fits",
    "is_in_files",
    "none_unless",
    "opened_backend",
    "schema_of",
    "table_on_disk",
    "tell_on_disk",
]

_DENSEST = 1000
"""How many times its size a file may take in memory: equal values of a Parquet file take hardly any room in it."""
_VALUE_BYTES = 70
"""How much memory a value of a table takes while it is published with lattice; with mondrian it is 50, checked 25."""
_TEXT = (".csv", ".tsv", ".txt")
"""Files in which even an empty value takes a byte."""
_MOST_OF_DRIVER = 4 << 30
"""What comes from a cluster goes through Java, which has less memory than the machine."""
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)\s*(|[KMGT])(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class TableOnDisk:
    """A table that is not read into memory, and its schema."""

    file: TabularFile
    schema: TableSchema
    memory: int
    """How many bytes may be used."""
    schema_file: Path | None = None
    """The schema that was found beside the data and taken."""
    where: Literal["stream"] | OpenCluster = "stream"


def _no_obstacle(_: TableSchema) -> WordingError | None:
    return None


def table_on_disk(
    data: Data | SparkFrame,
    schema: GivenSchema | None,
    engine: Where,
    memory: str | None = None,
    obstacle: Callable[[TableSchema], WordingError | None] = _no_obstacle,
) -> TableOnDisk | None:
    """Return the table that is to stay on disk; None where the data are to be read into memory.

    ``obstacle`` says why what is to be done with a table can be done in memory alone, if it can.
    """
    allowed = bytes_allowed(memory)
    if engine == "local":
        return None
    if is_spark_frame(data):
        return _on_cluster(SparkTable(data), schema, engine, allowed, obstacle)
    if not is_in_files(data):
        return none_unless(engine, "Only data in files stay on disk.")
    if engine == "auto" and certainly_fits(data, allowed):
        return None
    given = schema_of(data, schema)
    if not isinstance(given, TableSchema):
        return none_unless(
            engine, "Only tables, and ratings with one a line, stay on disk, and these data are neither."
        )
    why = obstacle(given)
    if why is not None and engine != "auto":
        raise why
    file = open_data(data, given)
    needed = file.rows * len(file.names) * _VALUE_BYTES
    if engine == "auto" and needed <= allowed:
        return None
    if why is not None:
        assume(f"Records are read into memory, and take about {needed >> 20:,} MiB there. {why.message}")
        return None
    if engine == "auto":
        tell_on_disk(needed, allowed)
    beside = schema_beside(data) if schema is None and folder_schema(data) is None else None
    return TableOnDisk(file, given, allowed, beside, "stream" if engine == "auto" else engine)


def _on_cluster(
    table: SparkTable,
    schema: GivenSchema | None,
    where: Where,
    allowed: int,
    obstacle: Callable[[TableSchema], WordingError | None],
) -> TableOnDisk:
    """Return a DataFrame of Spark as a table that stays on its cluster."""
    assert isinstance(where, OpenCluster)
    given = None if schema is None else given_schema(schema)
    if not isinstance(given, TableSchema):
        raise SchemaError(
            "A DataFrame of Spark needs the schema of a table, or of ratings.",
            "Give one, as a file or a dict.",
        )
    if (why := obstacle(given)) is not None:
        raise why
    return TableOnDisk(frame_on_cluster(table), given, allowed, where=where)


def tell_on_disk(needed: int, allowed: int) -> None:
    """Say that records stay on disk, and why."""
    assume(
        f"Records stay on disk (--engine stream): in memory they would take about {needed >> 20:,} MiB, and "
        f"{allowed >> 20:,} MiB may be used."
    )


def none_unless(engine: Where, why: str) -> None:
    """Refuse ``stream`` and Spark with a reason; else the data are read into memory."""
    if engine not in ("auto", "local"):
        raise WordingError(why, f"Leave out --engine {'stream' if engine == 'stream' else 'spark'}.")


def is_in_files(data: object) -> TypeGuard[str | Path | Location]:
    """Tell whether data are in files, which can be read more than once."""
    if not isinstance(data, str | Path | Location):
        return False
    location = Location.of(data)
    return not (location.is_database or location.is_standard_input)


def certainly_fits(data: str | Path | Location, allowed: int) -> bool:
    """Tell whether data fit into so many bytes of memory whatever is in them, without a look at their records.

    To look would take as long as a tenth of reading them, and they would be looked at again when they are read.
    """
    return sum(each.size() * _most_times(each.name) for each in find_contents(data)) <= allowed


def _most_times(name: str) -> int:
    return _VALUE_BYTES if name.lower().endswith(_TEXT) else _DENSEST


def schema_of(data: str | Path | Location, schema: GivenSchema | None) -> Schema | None:
    """Return the schema that is given or lies beside the data, if there is one."""
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


def bytes_allowed(memory: str | None) -> int:
    """Return how much memory may be used: half of what the machine has, unless said."""
    if memory is None:
        return memory_there_is() // 2
    written = _SIZE.fullmatch(memory.strip())
    if written is None or float(written[1]) == 0:
        raise WordingError(f"{memory!r} is not an amount of memory.", "Write --memory 4GiB, for example.")
    return int(float(written[1]) * _UNITS[written[2].upper()])


@contextmanager
def opened_backend(memory: int, where: Literal["stream"] | OpenCluster = "stream") -> Iterator[Backend]:
    """Yield the backend that keeps rows on the disk of this machine, in the folder for temporary files, or on Spark.

    What a killed run left in a folder of this machine is removed by the next.
    """
    staging = None if where == "stream" else where.staging
    if where != "stream" and staging is not None and "://" in staging:  # nothing can be locked there
        with SparkBackend(where.session, staging, memory=min(memory, _MOST_OF_DRIVER)) as backend:
            yield backend
        return
    place = Path(tempfile.gettempdir() if staging is None else staging)
    with (
        staging_folder(place) as folder,
        faults_named_by(place / "rows", folder),
        _backend_in(folder, memory, where) as backend,
    ):
        yield backend


def _backend_in(folder: Path, memory: int, where: Literal["stream"] | OpenCluster) -> Backend:
    if where == "stream":
        return StreamBackend(folder / "rows", memory)
    place = folder.as_uri()  # whatever the file system of Spark is
    staging = None if where.staging is None else place
    return SparkBackend(where.session, staging, temporary=place, memory=min(memory, _MOST_OF_DRIVER))
