"""Standard input, read once however often it is asked for."""

import sys
from typing import IO

from shoal.errors import FileError

from .contents import Contents
from .location import Location

__all__ = ["standard_input"]

_read: list[tuple[IO[bytes], bytes]] = []
"""The stream that was read last, and what it held: a first look at data opens them several times."""


def standard_input(location: Location) -> Contents:
    """Return what standard input holds; it stays in memory, since copies on the disk would be copies of the data."""
    if sys.stdin is None or sys.stdin.isatty():
        raise FileError("Nothing is piped into standard input.", "Write: cat people.csv | shoal describe -")
    stream = sys.stdin.buffer
    if not _read or _read[0][0] is not stream:
        try:
            _read[:] = [(stream, stream.read())]
        except (OSError, ValueError):
            raise FileError("Standard input cannot be read.", "Give a file instead.") from None
    return Contents(location.name, None, _read[0][1], location=location)
