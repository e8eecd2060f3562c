"""Files of parts that appear whole: whoever writes one may die, or write it a second time beside another."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from shoal.io.folders.data_parts import DataPart, part_name
from shoal.io.write_errors import unwritable_as_error

__all__ = ["folders_of_parts", "named_in_order", "new_attempt", "whole_part"]

_ATTEMPTS = ".attempts"


@contextmanager
def folders_of_parts(*folders: Path) -> Iterator[None]:
    """Make folders that parts are written into; what is left of attempts is removed at the end of the block."""
    for folder in folders:
        with unwritable_as_error(folder):
            folder.mkdir(mode=0o700)
            (folder.parent / _ATTEMPTS).mkdir(mode=0o700)
    yield
    for folder in folders:
        with unwritable_as_error(folder):
            shutil.rmtree(folder.parent / _ATTEMPTS)


@contextmanager
def whole_part(part: Path) -> Iterator[Path]:
    """Yield a path to write to; the file is renamed when it is whole.

    On a cluster the same part may be written twice at a time, and whoever writes it may die: the files of such attempts
    lie in a folder of their own, which is removed before anything is stated of the parts.
    """
    attempt = _attempt(part.parent, part.suffix)
    with unwritable_as_error(part):
        yield attempt
        attempt.replace(part)


@contextmanager
def new_attempt(folder: Path) -> Iterator[Path]:
    """Yield a path to write a part of a folder to, which is named later: see :func:`named_in_order`."""
    with unwritable_as_error(folder):
        yield _attempt(folder, ".parquet")


def _attempt(folder: Path, suffix: str) -> Path:
    return folder.parent / _ATTEMPTS / f"{os.urandom(8).hex()}{suffix}"


def named_in_order(folder: Path, attempts: pl.DataFrame) -> tuple[DataPart, ...]:
    """Name attempts that were written, in their order, and return the parts that they are now.

    Attempts are told by ``file``, ``rows`` and ``sha256``. Those of whoever died, or was not the first, are not among
    them, and no part of anything.
    """
    parts = []
    with unwritable_as_error(folder):
        for number, each in enumerate(attempts.select("file", "rows", "sha256").iter_rows(named=True)):
            (folder.parent / _ATTEMPTS / each["file"]).replace(folder / part_name(number))
            parts.append(DataPart(**{**each, "file": part_name(number)}))
    return tuple(parts)
