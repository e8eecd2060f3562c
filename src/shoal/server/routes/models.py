"""What operations answer with, and the parameters that many of them have."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from shoal.server.store import DatasetRow, JobRow, ReleaseRow

__all__ = ["DatasetId", "DatasetInfo", "JobId", "JobInfo", "Problem", "ReleaseId", "ReleaseInfo"]

DatasetId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="The id of a data set.")]
JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{24}$", description="The id of a job.")]
ReleaseId = Annotated[str, Path(pattern=r"^[0-9a-f]{24}$", description="The id of a release.")]


class Problem(BaseModel):
    """What went wrong, and the cure (RFC 9457)."""

    model_config = ConfigDict(extra="allow")
    type: str = Field(description="Which kind of problem it is, a URN.")
    title: str = Field(description="What went wrong, one sentence.")
    status: int
    detail: str | None = Field(None, description="The cure.")


class DatasetInfo(BaseModel):
    """A data set."""

    id: str
    name: str
    state: Literal["empty", "ready"]
    bytes: int
    sha256: str | None
    made: str
    registered: bool = Field(description="Whether it stays where it is, and was not uploaded.")
    has_schema: bool

    @classmethod
    def of(cls, row: DatasetRow, *, has_schema: bool) -> "DatasetInfo":
        """Return what is told of a data set."""
        return cls(
            id=row.id,
            name=row.name,
            state=row.state,
            bytes=row.bytes,
            sha256=row.sha256,
            made=row.made,
            registered=row.path is not None,
            has_schema=has_schema,
        )


class JobInfo(BaseModel):
    """A job, and its result or problem once it is over."""

    id: str
    number: int
    kind: str
    asked: dict[str, Any] = Field(description="What was asked for, as POST /jobs has it.")
    state: Literal["queued", "running", "done", "refused", "failed", "cancelled", "lost"]
    made: str
    began: str | None
    ended: str | None
    result: dict[str, Any] | None = Field(
        description="As the command of the same name prints it with --json; of publish and desk-request, also release, "
        "the id by which it is found."
    )
    problem: Problem | None

    @classmethod
    def of(cls, row: JobRow) -> "JobInfo":
        """Return what is told of a job."""
        problem = None if row.problem is None else Problem(**row.problem)
        told = {name: getattr(row, name) for name in cls.model_fields if name != "problem"}
        return cls(**told, problem=problem)


class ReleaseInfo(BaseModel):
    """A release that was made here."""

    id: str
    dataset: str | None
    made: str
    certificate: dict[str, Any]
    files: list[str] = Field(description="The names of its files, to be had one by one.")

    @classmethod
    def of(cls, row: ReleaseRow, files: list[str]) -> "ReleaseInfo":
        """Return what is told of a release."""
        return cls(id=row.id, dataset=row.dataset, made=row.made, certificate=row.certificate, files=files)
