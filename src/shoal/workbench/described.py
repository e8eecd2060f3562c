"""A data set as the pages after the first look need it: its kind, and how many records it has."""

from dataclasses import dataclass
from typing import Any, Literal, cast

from shoal.server.service import Service
from shoal.server.store import DatasetRow, Identity

from .computed import Computed, of_job

__all__ = ["Described", "Kind", "described"]

Kind = Literal["table", "ratings", "survey"]


@dataclass(frozen=True)
class Described:
    """A data set of somebody, and the job that described it last."""

    row: DatasetRow
    has_schema: bool
    overview: Computed

    @property
    def is_known(self) -> bool:
        """Whether it could be read, so that something can be asked of it."""
        return self.overview.is_done

    @property
    def about(self) -> dict[str, Any]:
        """What ``describe`` knows."""
        return self.overview.result

    @property
    def kind(self) -> Kind:
        """What the data are."""
        return cast("Kind", self.about["kind"])

    @property
    def records(self) -> int:
        """How many records there are."""
        return int(self.about["records"])

    @property
    def schema_file(self) -> str | None:
        """What the schema is called in commands."""
        return "schema.toml" if self.has_schema else None

    def columns_with(self, role: str) -> list[str]:
        """Return the columns of a table, or of the demographics of a survey, that have a role."""
        roles = self.about.get("roles") or (self.about.get("demographics") or {}).get("roles") or {}
        return list(roles.get(role, ()))


def described(service: Service, who: Identity, dataset: str) -> Described:
    """Return a data set of somebody, or raise; if nothing describes it any more, it is described anew."""
    row = service.dataset(dataset, who)
    place = service.place_of(row)
    job = None if row.overview_job is None else service.jobs.get(row.overview_job)
    if job is None:
        job = service.describe(row, who)
    return Described(row, place.schema_file is not None, of_job(service, job))
