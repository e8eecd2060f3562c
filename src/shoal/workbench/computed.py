"""What a page shows that has to be computed: a job, which is found again by what it was asked.

A page names an ask. If a job with the same ask was done since the data set last changed, its result is shown; if one is
under way, its progress; if none was, a button. So a page can be reloaded, or opened twice, and nothing is done twice.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from shoal.server.service import Service
from shoal.server.store import Identity, JobRow
from shoal.server.work.asks import Ask
from shoal.server.work.events import read_events

__all__ = ["Computed", "Progress", "computed", "of_job", "started"]


@dataclass(frozen=True)
class Progress:
    """How far a job is."""

    share: float
    stages: tuple[str, ...]
    """The stages under way, the outermost first, without the whole."""
    seconds_left: int | None
    """As far as can be told."""


@dataclass(frozen=True)
class Computed:
    """A job for a page, or that there is none yet."""

    service: Service
    ask: Ask | None
    job: JobRow | None

    @property
    def state(self) -> str:
        """``none``, or the state of the job."""
        return "none" if self.job is None else str(self.job.state)

    @property
    def is_under_way(self) -> bool:
        """Whether something will still come of it."""
        return self.job is not None and not self.job.is_over

    @property
    def is_done(self) -> bool:
        """Whether there is a result."""
        return self.job is not None and self.job.state == "done"

    @property
    def result(self) -> dict[str, Any]:
        """The result of a job that is done, as ``--json`` prints it."""
        assert self.job is not None
        assert self.job.result is not None
        return self.job.result

    @property
    def problem(self) -> dict[str, Any] | None:
        """What went wrong, and the cure."""
        return None if self.job is None else self.job.problem

    @cached_property
    def shown(self) -> dict[str, Any] | None:
        """What the result shows of itself: title, holds, facts, tables, sentences and pictures."""
        return None if self.job is None else self.service.supervisor.folder_of(self.job.id).shown()

    @cached_property
    def progress(self) -> Progress:
        """How far the job is, from its events."""
        assert self.job is not None
        return _progress(self.job, list(read_events(self.service.supervisor.folder_of(self.job.id).events)))


def computed(service: Service, who: Identity, ask: Ask) -> Computed:
    """Return what is known of an ask: its newest job since its data last changed."""
    after = 0
    for each in ask.datasets:
        described = service.datasets.get(each)
        first = None if described is None or described.overview_job is None else described.overview_job
        row = None if first is None else service.jobs.get(first)
        after = max(after, 0 if row is None else row.number - 1)
    return Computed(service, ask, service.jobs.latest(who.name, ask.model_dump(mode="json"), after=after))


def started(service: Service, who: Identity, ask: Ask) -> Computed:
    """Return what is known of an ask, after asking for it where nothing is, or where it did not come to its end."""
    found = computed(service, who, ask)
    if found.is_under_way or found.is_done:
        return found
    return Computed(service, ask, service.submit(ask, who))


def of_job(service: Service, job: JobRow) -> Computed:
    """Return a job that is known already."""
    return Computed(service, None, job)


def _progress(job: JobRow, events: list[dict[str, Any]]) -> Progress:
    whole, names, done, totals = None, {}, {}, {}
    for event in events:
        stage = event.get("stage")
        if event["event"] == "begin":
            names[stage], totals[stage], done[stage] = event["name"], event["total"], 0
            whole = stage if event["parent"] is None and whole is None else whole
        elif event["event"] == "advance":
            done[stage] = event["done"]
        elif event["event"] == "end" and stage != whole:
            names.pop(stage, None)
    share = min(done.get(whole, 0) / totals[whole], 1.0) if whole is not None and totals.get(whole) else 0.0
    under_way = tuple(name for stage, name in names.items() if stage != whole)
    return Progress(share, under_way, _seconds_left(job, share))


def _seconds_left(job: JobRow, share: float) -> int | None:
    if job.began is None or share < 0.05:
        return None
    passed = (datetime.now(UTC) - datetime.fromisoformat(job.began)).total_seconds()
    return max(int(passed * (1 - share) / share), 0)
