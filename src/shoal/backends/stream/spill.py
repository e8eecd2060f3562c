"""Rows spilled to a private folder, partition by partition.

A file is a sequence of Arrow streams, each behind its length: rows are appended as they come. Files are removed with
the object that stands for them, and the folder when its block ends.
"""

import os
import shutil
import threading
import weakref
from collections.abc import Sequence
from io import BytesIO
from itertools import count
from pathlib import Path

import polars as pl

from shoal.errors import WriteError

__all__ = ["SpillFolder", "SpilledPartition"]

_LENGTH = 8


class SpillFolder:
    """A folder for spilled rows, which are told by how much room they took at most."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._numbers = count()
        self._lock = threading.Lock()
        self._bytes = 0
        self.peak_bytes = 0
        """The most bytes that were in the folder at one time."""

    def __repr__(self) -> str:
        return f"SpillFolder({self.peak_bytes:,} bytes at the peak)"

    def partitions(self, n: int) -> list["SpilledPartition"]:
        """Return this many empty partitions."""
        return [SpilledPartition(self, self.path / f"{next(self._numbers)}.spill") for _ in range(n)]

    def grow(self, amount: int) -> None:
        """Note that so many bytes were written, or removed if below 0."""
        with self._lock:
            self._bytes += amount
            self.peak_bytes = max(self.peak_bytes, self._bytes)

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.path, ignore_errors=True)


class SpilledPartition:
    """Rows in a file, to which more can be appended by several threads."""

    def __init__(self, folder: SpillFolder, file: Path) -> None:
        self._folder, self._file = folder, file
        self._lock = threading.Lock()
        self.rows = 0
        self._sizes = [0]  # in a list, so that the last look at it needs no partition
        weakref.finalize(self, _forget, folder, file, self._sizes)

    def append(self, rows: pl.DataFrame) -> None:
        """Write rows at the end."""
        if not rows.height:
            return
        stream = BytesIO()
        rows.write_ipc_stream(stream)
        payload = stream.getbuffer()
        with self._lock:
            try:
                handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(len(payload).to_bytes(_LENGTH, "little"))
                    file.write(payload)
            except OSError as error:
                raise WriteError(self._file, error) from None
            written = len(payload) + _LENGTH
            self.rows += rows.height
            self._sizes[0] += written
        self._folder.grow(written)

    def load(self, columns: dict[str, pl.DataType]) -> pl.DataFrame:
        """Return all rows."""
        frames: list[pl.DataFrame] = []
        if self.rows:
            with self._file.open("rb") as file:
                while length := int.from_bytes(file.read(_LENGTH), "little"):
                    frames.append(pl.read_ipc_stream(file.read(length)))
        return pl.concat(frames) if frames else pl.DataFrame(schema=columns)


def _forget(folder: SpillFolder, file: Path, sizes: Sequence[int]) -> None:
    file.unlink(missing_ok=True)
    folder.grow(-sizes[0])
