"""The private folder of a job: its order, its events and its result."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from shoal.display import Picture, Summary

__all__ = ["HeldVersion", "JobFolder", "Order", "Place"]


class Place(BaseModel):
    """Where the files of a data set or of a release are."""

    model_config = ConfigDict(frozen=True)
    path: str
    schema_file: str | None = None
    ledger: str | None = None


class HeldVersion(BaseModel):
    """A version of a data set of the desk whose files the service has."""

    model_config = ConfigDict(frozen=True)
    name: str
    version: int
    place: Place


class Order(BaseModel):
    """Everything that a worker needs to know."""

    model_config = ConfigDict(frozen=True)
    job: str
    ask: dict[str, Any]
    actor: str
    """In whose name the desk's log keeps what is done."""
    datasets: dict[str, Place] = {}
    releases: dict[str, Place] = {}
    held: tuple[HeldVersion, ...] = ()
    """Versions that the desk may have to look at. Whoever asked is not told where they are."""
    out: str
    """The folder to make a release in, should the job make one."""
    desk: str
    key_file: str | None = None
    """Where the key of data that the desk keeps is, or what prints it; the key itself is written nowhere."""
    key_command: str | None = None
    memory: int


@dataclass(frozen=True)
class JobFolder:
    """The files of one job."""

    path: Path

    def make(self, order: Order) -> None:
        """Make the folder with the order in it."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._write("order.json", order.model_dump_json())

    @property
    def order(self) -> Order:
        """What is to be done."""
        return Order.model_validate_json((self.path / "order.json").read_bytes())

    @property
    def events(self) -> Path:
        """The file of events, one a line, which only grows."""
        return self.path / "events.jsonl"

    @property
    def lock(self) -> Path:
        """The file that a worker holds locked for as long as it lives."""
        return self.path / "lock"

    def write_process(self, pid: int, started: str) -> None:
        """Write down which process does the work."""
        self._write("process.json", json.dumps({"pid": pid, "started": started}))

    def process(self) -> tuple[int, str] | None:
        """Return which process does the work; None before one began."""
        found = self._read("process.json")
        return None if found is None else (int(found["pid"]), str(found["started"]))

    def write_outcome(self, state: str, *, result: Any = None, problem: Any = None) -> None:
        """Write down how the work ended: all of it is there, or nothing."""
        self._write("outcome.json", json.dumps({"state": state, "result": result, "problem": problem}))

    def outcome(self) -> dict[str, Any] | None:
        """Return how the work ended; None where it did not come to an end."""
        return self._read("outcome.json")

    def write_shown(self, summary: Summary, pictures: Sequence[Picture]) -> None:
        """Write down what the result shows of itself."""
        self._write("shown.json", json.dumps({**asdict(summary), "pictures": [asdict(each) for each in pictures]}))

    def shown(self) -> dict[str, Any] | None:
        """Return what the result shows of itself, as :class:`shoal.display.Summary` has it, with ``pictures``."""
        return self._read("shown.json")

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            return json.loads((self.path / name).read_bytes())
        except FileNotFoundError:
            return None

    def _write(self, name: str, text: str) -> None:
        new = self.path / f".{name}.new"
        with os.fdopen(os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path / name)
