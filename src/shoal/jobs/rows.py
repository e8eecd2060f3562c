"""The records of data as they are written, some at a time: for their owner, who wants to see what a file holds."""

from dataclasses import dataclass, field
from typing import Any

from shoal.io import open_unexplained
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.frames import ReadableData, open_data
from shoal.io.schemas import GivenSchema, given_schema

__all__ = ["WrittenRows", "open_rows"]


@dataclass(frozen=True)
class WrittenRows:
    """The records of a file, of which nothing is read before it is asked for."""

    names: tuple[str, ...]
    total: int
    notes: tuple[str, ...]
    """How the file was understood."""
    _file: TabularFile = field(repr=False)

    def slice(self, start: int, count: int) -> list[tuple[str | None, ...]]:
        """Return some records in file order, each field as text; None where it is missing."""
        with faults_of(self._file.name):
            frame = self._file.scan.slice(start, count).collect()
        return [tuple(map(_written, row)) for row in frame.select(self.names).iter_rows()]


def open_rows(data: ReadableData, schema: GivenSchema | None = None) -> WrittenRows:
    """Open data to look at their records; without a schema, as a first look would understand them."""
    file = open_unexplained(data) if schema is None else open_data(data, given_schema(schema))
    return WrittenRows(file.names, file.rows, file.notes, file)


def _written(value: Any) -> str | None:
    return None if value is None else str(value)
