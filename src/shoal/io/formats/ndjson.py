"""NDJSON, also called JSON Lines: one JSON object a line."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from shoal.errors import SchemaError
from shoal.io.schemas import Schema

from .base import Format
from .contents import Contents
from .registry import formats
from .tabular_file import TabularFile, faults_of

__all__ = ["NDJSON"]


@formats.add
@dataclass(frozen=True)
class NDJSON(Format):
    """One JSON object a line, with the same keys in each."""

    name: ClassVar[str] = "ndjson"
    title: ClassVar[str] = "NDJSON"
    endings: ClassVar[tuple[str, ...]] = (".ndjson", ".jsonl")

    def recognizes(self, contents: Contents) -> bool:
        """Tell whether a file is named so or, if its name has no ending, begins as a JSON object does."""
        unnamed = "." not in contents.name and contents.head(1 << 10).lstrip().startswith((b'{"', b"{ "))
        return unnamed or super().recognizes(contents)

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:  # noqa: ARG002 - the file has its own
        """Find the keys and the types of their values in the whole file; nested values are refused."""
        path = contents.path
        with faults_of(contents.name):
            # Polars takes a name with brackets for a pattern
            in_memory = path is None or any(mark in str(path) for mark in "*?[")
            source = path if path is not None and not in_memory else io.BytesIO(b"".join(contents.blocks()))
            scan = pl.scan_ndjson(source, infer_schema_length=None)
            types = scan.collect_schema()
            rows = int(scan.select(pl.len()).collect().item())
        for name, dtype in types.items():
            if dtype.is_nested():
                raise SchemaError(
                    f"The values of {name!r} in {contents.name} are lists or objects.", "Write one plain value a key."
                )
            if dtype == pl.Int128:
                raise SchemaError(
                    f"Numbers of {name!r} in {contents.name} have more than 64 bits.", "Write them as text, in quotes."
                )
        if not types:
            raise SchemaError(f"{contents.name} has no keys.", 'Write objects such as {"age": 30, "sex": "f"}.')
        return TabularFile(contents.name, tuple(types), scan, rows, False, (*contents.notes, "It is an NDJSON file."))

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:  # noqa: ARG002
        """Write one object a line; days and times are text as in CSV."""
        with path.open("wb") as file:
            for frame in frames:
                frame.with_columns(
                    pl.col(pl.Date).dt.strftime("%Y-%m-%d"), pl.col(pl.Datetime).dt.strftime("%Y-%m-%dT%H:%M:%S%.f")
                ).write_ndjson(file)
