"""Events of a job: stages as they begin, move on and end, one JSON object a line in a file that only grows.

Each has a number, so that a reader who was cut off goes on where it was. What moves on is written a few times a second
at most: a stage may count millions of records.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

__all__ = ["EventWriter", "read_events", "read_on"]

_PAUSE = 0.2  # seconds between two entries about stages that move on


class _Open:
    """A stage under way."""

    def __init__(self, number: int, total: int | None) -> None:
        self.number, self.total, self.done, self.told = number, total, 0, 0


class EventWriter:
    """Hears of stages and writes them down."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        self._number = sum(1 for _ in read_events(path))
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            os.write(self._file, b"\n")  # an entry that was cut off ends here, and the next one is whole
        self._stages = 0
        self._open: dict[int, _Open] = {}
        self._last = 0.0

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
        """Write down that a stage begins."""
        self._stages += 1
        opened = _Open(self._stages, total)
        self._open[opened.number] = opened
        above = parent.number if isinstance(parent, _Open) else None
        self._write("begin", stage=opened.number, parent=above, name=name, total=total)
        return opened

    def advance(self, token: object, amount: int) -> None:
        """Write down how far all stages are, unless that was done just now."""
        assert isinstance(token, _Open)
        token.done += amount
        now = time.monotonic()
        if now - self._last >= _PAUSE:
            self._last = now
            for each in self._open.values():
                if each.done != each.told:
                    self._tell(each)

    def end(self, token: object) -> None:
        """Write down that a stage is over."""
        assert isinstance(token, _Open)
        self._open.pop(token.number, None)
        if token.done != token.told:
            self._tell(token)
        self._write("end", stage=token.number)

    def _tell(self, each: _Open) -> None:
        each.told = each.done
        self._write("advance", stage=each.number, done=each.done, total=each.total)

    def _write(self, event: str, **details: Any) -> None:
        self._number += 1
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"id": self._number, "at": at, "event": event, **details}, separators=(",", ":"))
        with suppress(OSError):  # a disk that is full keeps no events, and the job may still succeed
            os.write(self._file, f"{line}\n".encode())


def read_events(path: Path, after: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the events after a number; a line that is not whole yet is left for the next time."""
    yield from (event for event in read_on(path, 0)[0] if event["id"] > after)


def read_on(path: Path, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return the events that lie after a place in a file, and the place after them.

    A line that is not whole yet is left for the next time. One that never became whole, because the disk was full or
    the process was killed, is passed over.
    """
    try:
        with path.open("rb") as file:
            file.seek(offset)
            new = file.read()
    except FileNotFoundError:
        return [], offset
    whole = new[: new.rfind(b"\n") + 1]
    return [event for line in whole.splitlines() if (event := _event(line)) is not None], offset + len(whole)


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("id"), int) else None
