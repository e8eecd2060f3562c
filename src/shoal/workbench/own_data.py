"""A data set as pages need it: its row, its schema, what is known of it, and where its records are."""

import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from shoal.jobs.rows import WrittenRows, open_rows
from shoal.server.service import Service
from shoal.server.store import DatasetRow, Identity
from shoal.server.work.asks import DescribeAsk

from .choices import Choices
from .computed import Computed, computed
from .same_elsewhere import Same, command, python_call
from .steps import Step, steps

__all__ = ["OwnData"]


@dataclass(frozen=True)
class OwnData:
    """A data set of who looks at a page."""

    service: Service
    who: Identity
    row: DatasetRow

    @classmethod
    def of(cls, service: Service, who: Identity, dataset: str) -> "OwnData":
        """Return a data set of somebody, or raise."""
        return cls(service, who, service.dataset(dataset, who))

    @property
    def address(self) -> str:
        """Where the pages of this data set are."""
        return f"/data/{self.row.id}"

    @property
    def folder(self) -> Path:
        """The private folder with its schema and what that names."""
        return self.service.dataset_folder(self.row.id)

    @cached_property
    def schema_text(self) -> str | None:
        """The schema as its file has it; None where there is none yet."""
        return self.service.schema_text(self.row)

    @cached_property
    def schema(self) -> dict[str, Any] | None:
        """The settings of the schema; None where there is none yet."""
        return None if self.schema_text is None else tomllib.loads(self.schema_text)

    @property
    def has_schema(self) -> bool:
        """Whether the data set has a schema of its own."""
        return self.schema_text is not None

    def described(self, duplicates: str = "") -> Computed:
        """Return what is known of the first look at the data as they are now."""
        if duplicates not in ("last", "mean"):
            job = None if self.row.overview_job is None else self.service.jobs.get(self.row.overview_job)
            return Computed(self.service, self.describe_ask(), job)
        return computed(self.service, self.who, self.describe_ask(duplicates))

    def describe_ask(self, duplicates: str = "") -> DescribeAsk:
        """Return the order for a first look."""
        said: dict[str, Any] = {"duplicates": duplicates} if duplicates in ("last", "mean") else {}
        return DescribeAsk(kind="describe", dataset=self.row.id, **said)

    def steps(self, current: str, choices: Choices) -> tuple[Step, ...]:
        """Return the steps of the way; without a schema only ratings that were recognized go on."""
        found = self.described(choices.get("duplicates"))
        ready = self.has_schema or (found.is_done and found.result["kind"] != "unknown")
        return steps(current, self.row.id, query=choices.query, ready=ready)

    def rows(self) -> WrittenRows:
        """Open the records to look at some of them."""
        place = self.service.place_of(self.row)
        return _opened(place.path, place.schema_file, self.row.overview_job)

    def same(self, job: str, **options: str | bool) -> Same:
        """Return what a page does with this data set, as other interfaces do it."""
        schema = "schema.toml" if self.has_schema else None
        return Same(
            command("shoal", job, self.row.name, schema=schema, **options),
            "import shoal\n\n" + python_call(job, self.row.name, schema=schema, **options),
        )


@lru_cache(maxsize=4)
def _opened(path: str, schema_file: str | None, look: str | None) -> WrittenRows:  # noqa: ARG001 - a new look, new data
    return open_rows(path, schema_file)
