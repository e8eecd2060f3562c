"""The bytes of one data file, wherever they come from."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import FileError

from .location import Location

__all__ = ["Contents"]

_BLOCK = 1 << 24


@dataclass(frozen=True)
class Contents:
    """The bytes of one data file: on the disk, from standard input, or unpacked from a compressed file."""

    name: str
    """The name of the file itself, without the ending of its compression."""
    path: Path | None
    data: bytes | None
    notes: tuple[str, ...] = ()
    location: Location | None = None
    """What was asked for; a database has no bytes, and is found by this alone."""
    partition: tuple[tuple[str, str | None], ...] = ()
    """The columns that folders named ``column=value`` stand for, with their value in this file."""

    def __repr__(self) -> str:
        return f"Contents({self.name!r})"

    @property
    def source(self) -> Path | io.BytesIO:
        """The path or stream that a reader can open, from whatever folder it is in."""
        return self.path.absolute() if self.path is not None else io.BytesIO(self.data or b"")

    def blocks(self, size: int | None = None) -> Iterator[bytes]:
        """Yield the bytes in blocks of ``size``."""
        try:
            with self.path.open("rb") if self.path is not None else io.BytesIO(self.data or b"") as file:
                while block := file.read(size or _BLOCK):
                    yield block
        except OSError:
            raise FileError(f"{self.name} cannot be read.", "Check that it is a file you may open.") from None

    def head(self, size: int = 1 << 18) -> bytes:
        """Return the first bytes."""
        return next(self.blocks(size), b"")

    def size(self) -> int:
        """Return the number of bytes."""
        return self.path.stat().st_size if self.path is not None else len(self.data or b"")
