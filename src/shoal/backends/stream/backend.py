"""The backend of this machine: rows that do not fit into memory are spilled to a private folder."""

import os
from pathlib import Path
from typing import ClassVar, TypeVar

from shoal.backends.base import Backend, Scannable, Shared
from shoal.backends.division import METHOD_BYTES
from shoal.errors import WriteError

from .spill import SpillFolder
from .streamed import Streamed, StreamSettings

__all__ = ["StreamBackend"]

T = TypeVar("T")


class _Here(Shared[T]):
    """A value that functions of this process use."""

    def __init__(self, value: T) -> None:
        self._value = value

    @property
    def value(self) -> T:
        return self._value


class StreamBackend(Backend):
    """Runs on this machine within a given amount of memory."""

    name: ClassVar[str] = "stream"

    def __init__(self, folder: Path, memory: int, threads: int | None = None) -> None:
        """Spill to a new, private folder, which is removed when the block ends."""
        self._memory = memory
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise WriteError(folder, error) from None
        self._folder = SpillFolder(folder)
        self._settings = StreamSettings(self._folder, memory, threads or os.cpu_count() or 1)

    def __exit__(self, *_: object) -> None:
        self._folder.remove()

    def scan(self, file: Scannable, *columns: str, number: str | None = None) -> Streamed:
        """Return these columns of a file, and the number of each row, if asked."""
        return Streamed.of_file(self._settings, file, columns, number)

    def shared(self, value: T) -> Shared[T]:
        """Return a value for functions to use."""
        return _Here(value)

    @property
    def memory(self) -> int:
        """How many bytes this process may take."""
        return self._memory

    @property
    def most_records(self) -> int:
        """How many records may be together in one partition for a method that works in memory."""
        return self._memory // self._settings.threads // METHOD_BYTES

    @property
    def peak_spilled(self) -> int:
        """The most bytes that were spilled at one time."""
        return self._folder.peak_bytes
