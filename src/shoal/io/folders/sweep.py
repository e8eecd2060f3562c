"""A sweep on disk, kept by the owner of the data: its settings, one line per finished point, and the table.

A point is appended in one write and synced at once, so a run that is killed loses at most the points that it was
working on. An incomplete last line is what a killed run was writing, and is cut off.
"""

import errno
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import FileError, WriteError
from shoal.io.write_errors import refuse_unfit_name

__all__ = ["SweepFolder"]

_SWEEP = "sweep.json"
_POINTS = "points.jsonl"
_TABLE = "table.csv"
_PLOTS = ".svg"
_PARTIAL = ".part"

Key = tuple[str, str]
Line = dict[str, Any]


class SweepFolder:
    """The folder of one sweep, held by one run at a time."""

    def __init__(self, folder: Path, handle: int, points: dict[Key, Line]) -> None:
        self.path = folder
        self.points = points
        """The finished points by method and promise."""
        self._handle = handle

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, sweep: Mapping[str, Any], *, force: bool = False) -> Iterator["SweepFolder"]:
        """Make the folder of a sweep, or go on with it; one of another sweep is emptied only with ``force``."""
        folder = Path(os.path.abspath(folder))
        try:
            _refuse_foreign(folder)
            folder.mkdir(mode=0o700, exist_ok=True)
            handle = os.open(folder / _POINTS, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                _lock(handle, folder)
                if _description(folder / _SWEEP) != sweep:
                    _begin(folder, handle, sweep, force=force)
                yield cls(folder, handle, _points(folder / _POINTS, handle))
            finally:
                os.close(handle)  # and with it the lock
        except OSError as error:
            raise WriteError(folder, error) from None

    def add(self, line: Line) -> None:
        """Append a finished point and sync it to the disk."""
        text = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        if os.write(self._handle, text) < len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(self._handle)
        self.points[_key(line)] = line

    def write_table(self, table: pl.DataFrame) -> Path:
        """Write the table of all points, whole or not at all."""
        return _write(self.path / _TABLE, table.write_csv())


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder that holds anything but a sweep: Shoal does not write among files that it did not write."""
    refuse_unfit_name(folder)
    if not folder.parent.is_dir():
        raise FileError(f"{folder} cannot be written: the folder {folder.parent} does not exist.", "Create it first.")
    if not os.path.lexists(folder):
        return
    if not folder.is_dir() or folder.is_symlink():
        raise FileError(f"{folder} is not a folder.", "Choose another name.")
    names = {entry.name for entry in folder.iterdir()}
    ours = {name for name in names if name in (_SWEEP, _POINTS, _TABLE) or name.endswith((_PLOTS, _PARTIAL))}
    if names - ours:
        raise FileError(
            f"{folder} holds {len(names - ours):,} files or folders that do not belong to a sweep.",
            "Choose another folder.",
        )


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FileError(f"Another run is sweeping into {folder}.", "Wait for it, or choose another folder.") from None


def _begin(folder: Path, handle: int, sweep: Mapping[str, Any], *, force: bool) -> None:
    """Write the settings of the sweep; points of another one are removed first, lest they be taken for its own."""
    others = [entry for entry in folder.iterdir() if entry.name != _POINTS]
    if (others or os.fstat(handle).st_size) and not force:
        raise FileError(
            f"{folder} holds a sweep of {_difference(_description(folder / _SWEEP), sweep)}.",
            "Choose another folder, or replace it with --force.",
        )
    os.ftruncate(handle, 0)
    for entry in others:
        if entry.name != _SWEEP:
            entry.unlink()
    _write(folder / _SWEEP, json.dumps(sweep, indent=2, ensure_ascii=False) + "\n")


def _difference(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> str:
    if old is None:
        return "unknown data"
    if old.get("sha256") != new["sha256"]:
        return "other data"
    return f"the same data with another {' and another '.join(name for name in new if old.get(name) != new[name])}"


def _description(file: Path) -> dict[str, Any] | None:
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    return described if isinstance(described, dict) else None


def _points(file: Path, handle: int) -> dict[Key, Line]:
    """Return the points that are whole; half a line at the end is cut off, so that the next one begins a line."""
    content = file.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.ftruncate(handle, whole)
    lines = (_line(text) for text in content[:whole].splitlines())
    return {_key(line): line for line in lines if line is not None}


def _line(text: bytes) -> Line | None:
    try:
        line = json.loads(text)
        return line if isinstance(line["holds"], bool) and all(isinstance(part, str) for part in _key(line)) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _key(line: Line) -> Key:
    return line["method"], line["promise"]


def _write(file: Path, text: str) -> Path:
    partial = file.with_name(file.name + _PARTIAL)
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return file
