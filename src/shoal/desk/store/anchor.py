"""The anchor of a log: its head, written outside of the store at each change.

Whoever can write the whole store can put an old copy of it back, or write a log of his own. He cannot do so with a file
on another disk, of another owner, or with what a command has sent away. Each change is anchored twice: ``before`` it is
kept, with the head that it follows on, and ``after``. If the first cannot be written, the change is not made. If the
second cannot, the change is there and whoever made it is told; the next one follows on it, which anchors it as well.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from sqlalchemy import Connection, insert, select, update

from shoal.desk.clock import now
from shoal.errors import FileError, WordingError

from .log import BEGINNING, note
from .tables import ANCHORS, HEAD

__all__ = ["Anchor", "Head", "anchors_of", "faults_of_anchor", "head_of", "set_anchor"]

_PATIENCE: Final = 60
"""How many seconds a command may take."""
_LINE: Final = re.compile(r"(before|after) (\d+) ([0-9a-f]{64}) (\d+) ([0-9a-f]{64}) \S+")


@dataclass(frozen=True)
class Head:
    """The last entry of a log: its number and its hash."""

    number: int
    hash: str


def head_of(connection: Connection) -> Head:
    """Return the head of the log as it stands in a transaction."""
    found = connection.execute(select(HEAD.c.number, HEAD.c.hash)).first()
    return Head(0, BEGINNING) if found is None else Head(found.number, found.hash)


@dataclass(frozen=True)
class Anchor:
    """Where heads are written: the path of a file that is there, or the words of a command that reads a line."""

    kind: Literal["file", "command"]
    target: str

    def write(self, when: Literal["before", "after"], previous: Head, head: Head) -> None:
        """Write one line, and raise unless it is safe outside."""
        line = f"{when} {previous.number} {previous.hash} {head.number} {head.hash} {now()}\n".encode("ascii")
        try:
            _append(Path(self.target), line) if self.kind == "file" else _hand_over(self.target, line)
        except (OSError, subprocess.SubprocessError, ValueError):
            done = "The change is kept, but its" if when == "after" else "Nothing was changed: the"
            raise FileError(
                f"{done} anchor outside the desk could not be written.",
                f"Check the {self.kind} that shoal desk anchor names.",
            ) from None


def _append(path: Path, line: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND)  # one that has gone must not begin anew
    try:
        if os.write(file, line) != len(line):
            raise OSError
        os.fsync(file)
    finally:
        os.close(file)


def _hand_over(command: str, line: bytes) -> None:
    subprocess.run(
        shlex.split(command), input=line, check=True, capture_output=True, timeout=_PATIENCE
    )  # what it prints is its own affair


def anchors_of(connection: Connection) -> list[Anchor]:
    """Return the anchor of a store, if it has one."""
    found = connection.execute(select(ANCHORS.c.kind, ANCHORS.c.target).where(ANCHORS.c.kind != "none"))
    return [Anchor(row.kind, row.target) for row in found]


def set_anchor(connection: Connection, kind: Literal["file", "command", "none"], target: str) -> None:
    """Name another anchor, or none; a file is made if it is not there, readable by its owner alone."""
    if kind != "none" and not target.strip():
        raise WordingError("An anchor is a file or a command.")
    if kind == "file":
        target = os.path.abspath(target)
        try:
            os.close(os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
        except OSError as error:
            raise FileError(f"{target} cannot be written: {os.strerror(error.errno or 0)}.") from None
    row = {"one": 1, "kind": kind, "target": target if kind != "none" else ""}
    known = connection.execute(select(ANCHORS.c.one)).first()
    connection.execute(insert(ANCHORS).values(**row) if known is None else update(ANCHORS).values(**row))
    note(connection, "anchor", {"table": ANCHORS.name, "row": row})


def faults_of_anchor(lines: Sequence[str], entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Compare the lines of an anchor with all entries of a log; return what does not fit, in sentences.

    A change that was announced may not have been made. One that was made is there, and every other one follows on it.
    """
    hashes = {0: BEGINNING} | {entry["number"]: entry["hash"] for entry in entries}
    read = [_LINE.fullmatch(line.strip()) for line in lines]
    faults = [f"Line {at} of the anchor cannot be read." for at, found in enumerate(read, start=1) if found is None]
    made: tuple[int, str] | None = None
    announced: set[tuple[int, str]] = set()
    for at, found in enumerate(read, start=1):
        if found is None:
            continue
        previous, head = (int(found[2]), found[3]), (int(found[4]), found[5])
        if found[1] == "after":
            made, announced = head, set()
            faults += [] if hashes.get(head[0]) == head[1] else [_rolled_back(head[0])]
            continue
        if hashes.get(previous[0]) != previous[1] or (made is not None and previous not in {made, *announced}):
            faults.append(f"Line {at} of the anchor follows on another entry than the one before it.")
        if previous != made:  # what was announced before has been made after all, or this is the first line
            made, announced = previous, set()
        announced.add(head)
    last = max(hashes)
    if (last, hashes[last]) not in {made, *announced}:
        faults.append("The log ends with an entry that the anchor does not have.")
    return list(dict.fromkeys(faults))


def _rolled_back(number: int) -> str:
    return f"The anchor has an entry {number} that the log does not have: the store was put back or written anew."
