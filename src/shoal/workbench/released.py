"""A release as the pages about it need it: what was asked for, what came of it, and where its data set is."""

from dataclasses import dataclass
from typing import Any

from shoal.server.service import Service
from shoal.server.store import DatasetRow, Identity, JobRow, ReleaseRow
from shoal.wording.format import format_count

from .choices import Choices
from .steps import Step, steps

__all__ = ["Released", "released", "releases_of"]


@dataclass(frozen=True)
class Released:
    """A release of somebody; its data set and the job that made it may be gone."""

    row: ReleaseRow
    dataset: DatasetRow | None
    job: JobRow | None

    @property
    def certificate(self) -> dict[str, Any]:
        """What the release states of itself."""
        return self.row.certificate

    @property
    def result(self) -> dict[str, Any] | None:
        """What publishing told; None where its job is gone."""
        return None if self.job is None else self.job.result

    @property
    def chosen(self) -> Choices:
        """The choices that it was made of, as far as they are known."""
        if self.job is not None:
            return Choices.of_ask(self.job.asked)
        return Choices(tuple(each["promise"] for each in self.certificate["promises"]))

    @property
    def name(self) -> str:
        """What the release is called on pages."""
        return self.dataset.name if self.dataset is not None else "a data set that was removed"

    @property
    def in_a_line(self) -> str:
        """The release in a line by which it is told from others: data, promises, records and when it was made."""
        records = format_count(self.certificate["records"], "record")
        made = f"{self.row.made[:10]} {self.row.made[11:16]} UTC"
        return f"{self.name}: {self.promised}, {records}, {made}"

    @property
    def method(self) -> str:
        """The name of its method, without settings."""
        return self.certificate["method"].partition(":")[0]

    @property
    def promised(self) -> str:
        """Its promises in one line."""
        return ", ".join(each["promise"] for each in self.certificate["promises"])

    def steps(self, current: str) -> tuple[Step, ...]:
        """Return the steps of the way, those before the release with the choices that it was made of."""
        dataset = None if self.dataset is None else self.dataset.id
        return steps(current, dataset, query=self.chosen.query, release=self.row.id)


def releases_of(service: Service, who: Identity, most: int) -> list[Released]:
    """Return the releases of somebody, the newest first, without the jobs that made them."""
    rows = service.releases.of_user(who.name, most=most)
    names = {each.id: each for each in service.datasets.of_user(who.name)}
    return [Released(row, names.get(row.dataset or ""), None) for row in rows]


def released(service: Service, who: Identity, release: str) -> Released:
    """Return a release of somebody, or raise."""
    row = service.release(release, who)
    found = None if row.dataset is None else service.datasets.get(row.dataset)
    return Released(row, found, service.jobs.get(row.job))
