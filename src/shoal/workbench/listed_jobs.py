"""Jobs as lists name them: what was asked, of which data, and the page that shows what came of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from shoal.server.service import Service
from shoal.server.store import JobRow

from .choices import Choices

__all__ = ["JOB_STATES", "ListedJob", "listed_job", "listed_jobs"]

JOB_STATES: Final[Mapping[str, str]] = {"queued": "waiting", "cancelled": "canceled", "lost": "cut off"}
"""States that pages call something else than programs do."""

_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "describe": ("Look at the data", "/data/{dataset}/look"),
    "check": ("Check promises", "/data/{dataset}/promise{chosen}"),
    "limits": ("Find what can be promised", "/data/{dataset}/promise"),
    "publish": ("Publish", "/data/{dataset}/publish{chosen}"),
    "verify": ("Verify", "/releases/{release}/proof"),
    "attack": ("Let attackers try", "/releases/{release}/use"),
    "measure": ("Measure what was lost", "/releases/{release}/use"),
    "compare-columns": ("Compare columns", "/releases/{release}/use"),
    "report": ("Write the report", "/releases/{release}/report"),
    "sweep": ("Try promises", "/data/{dataset}/explore"),
    "lattice": ("Search the lattice", "/data/{dataset}/explore"),
    "suggest-hierarchy": ("Suggest a hierarchy", "/data/{dataset}/columns/hierarchy?{column}"),
    "check-hierarchy": ("Check a hierarchy", "/data/{dataset}/columns/hierarchy?{column}"),
    "draw-hierarchy": ("Draw a hierarchy", "/data/{dataset}/columns/hierarchy?{column}"),
    "desk-register": ("Register at the desk", "/desk/datasets/one?{name}"),
    "desk-request": ("Ask the desk", "/desk/requests/{job}"),
    "desk-dry-run": ("Try a request", "/desk/dry-runs/{job}"),
}
"""What a job of a kind does, and where its result is shown."""


@dataclass(frozen=True)
class ListedJob:
    """A job, as a list has it."""

    row: JobRow
    what: str
    of: str
    """Of which data, or of which release."""
    address: str
    """Where its result is shown; empty where that is gone, or never was."""

    @property
    def state(self) -> str:
        """What became of it, in a word."""
        return JOB_STATES.get(self.row.state, self.row.state)


def listed_jobs(service: Service, rows: Iterable[JobRow]) -> list[ListedJob]:
    """Return jobs as a list has them."""
    return [listed_job(service, row) for row in rows]


def listed_job(service: Service, row: JobRow) -> ListedJob:
    """Return a job as a list has it."""
    what, address = _KINDS.get(row.kind, (row.kind.replace("-", " ").capitalize(), ""))
    asked = row.asked
    dataset, release = asked.get("dataset"), asked.get("release")
    if row.kind == "attack" and dataset:
        address = "/data/{dataset}/risk"
    if row.kind == "publish" and service.releases.get(row.id) is not None:
        release, address = row.id, "/releases/{release}/proof"
    of, is_there = _named(service, asked, dataset, release)
    places = {"dataset": dataset, "release": release, "job": row.id, "chosen": _chosen(row)}
    places |= {key: urlencode({key: asked[key]}) for key in ("column", "name") if key in asked}
    is_shown = is_there and row.state == "done"
    return ListedJob(row, what, of, address.format(**places) if is_shown else "")


def _named(service: Service, asked: Mapping[str, Any], dataset: str | None, release: str | None) -> tuple[str, bool]:
    """Return of what a job is, in words, and whether that is still there."""
    if "name" in asked:
        return str(asked["name"]), True
    found = None if release is None else service.releases.get(release)
    if release is not None and found is None:
        return "a release that was removed", False
    dataset = found.dataset if found is not None else dataset
    row = None if dataset is None else service.datasets.get(dataset)
    name = "data that were removed" if row is None else row.name
    return (f"the release of {name}", True) if found is not None else (name, row is not None)


def _chosen(row: JobRow) -> str:
    if row.kind == "publish":
        return Choices.of_ask(row.asked).query
    return Choices(tuple(row.asked.get("models", ()))).query
