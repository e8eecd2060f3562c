"""Parts that are there twice: read twice, every person in them would seem to be hidden among two."""

import filecmp
import os
from collections.abc import Sequence
from pathlib import Path

from shoal.assumed import assume

__all__ = ["linked_again", "notes_on_copies"]

_ENDS = 4096


def linked_again(files: Sequence[Path]) -> dict[Path, Path]:
    """Return the paths that lead to a file that another path leads to, with that path: links and loops of folders."""
    kept, again = dict[tuple[int, int], Path](), dict[Path, Path]()
    for file in sorted(files, key=lambda each: (each.is_symlink(), len(each.parts))):
        found = file.stat()
        first = kept.setdefault((found.st_dev, found.st_ino), file)
        if first is not file:
            again[file] = first
    return again


def notes_on_copies(files: Sequence[Path]) -> tuple[str, ...]:
    """Tell of the first two parts that are the same, byte by byte: they may be, but likely one is a copy."""
    kept: dict[tuple[int, bytes], Path] = {}
    for file in files:
        first = kept.setdefault((file.stat().st_size, _ends(file)), file)
        if first is not file and filecmp.cmp(first, file, shallow=False):
            told = f"The parts {first.name} and {file.name} are the same, and both were read: is one a copy?"
            return (assume(told),)
    return ()


def _ends(path: Path) -> bytes:
    """Return the first and the last bytes, by which nearly all files differ."""
    with path.open("rb") as file:
        first = file.read(_ENDS)
        file.seek(max(0, os.fstat(file.fileno()).st_size - _ENDS))
        return first + file.read(_ENDS)
