"""Data sets: uploaded as they are, streamed to disk, or registered where they are."""

from collections.abc import Callable
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from shoal.errors import WordingError
from shoal.server.access import Who, rule, service_of
from shoal.server.problems import NotFound
from shoal.server.service import Service
from shoal.server.store import DatasetRow, Role
from shoal.server.uploads import FileName, Stored, stored

from .models import DatasetId, DatasetInfo, JobInfo

__all__ = ["router"]

router = APIRouter(tags=["datasets"])


def _takes_bytes(*roles: Role) -> dict[str, Any]:
    """Return the settings of a route whose body is a file as it is, which is read as it comes."""
    settings = rule(*roles)
    content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    settings["openapi_extra"] |= {"requestBody": {"required": True, "content": content}}
    return settings


class NewDataset(BaseModel):
    """A data set to come: its name, with the ending of its format, or the path of a file that stays where it is."""

    model_config = ConfigDict(extra="forbid")
    name: FileName | None = None
    path: Annotated[str, Field(max_length=4000)] | None = None


@router.get("/datasets", **rule(Role.OWNER))
def datasets(request: Request, who: Who) -> list[DatasetInfo]:
    """Return your data sets, the newest first."""
    service = service_of(request)
    return [_info(service, row) for row in service.datasets.of_user(who.name)]


@router.post("/datasets", status_code=201, **rule(Role.OWNER))
def add_dataset(request: Request, response: Response, who: Who, new: NewDataset) -> DatasetInfo:
    """Make a data set: of a name, whose content is then PUT; or of a path below a folder that may be used."""
    service = service_of(request)
    row = service.add_dataset(who, name=new.name, path=new.path)
    response.headers["location"] = f"/api/v1/datasets/{row.id}"
    return _info(service, row)


@router.put("/datasets/{dataset}/content", **_takes_bytes(Role.OWNER))
async def put_content(request: Request, who: Who, dataset: DatasetId) -> Stored:
    """Store the content of a data set: the bytes of the file as they are. It appears whole or not at all."""
    service = service_of(request)
    row = await to_thread.run_sync(service.dataset, dataset, who)
    if row.path is not None:
        raise WordingError("This data set is registered where it is; it has no content here.")
    await to_thread.run_sync(service.refuse_what_the_desk_needs, row)

    def remember(kept: Stored, give_name: Callable[[], None]) -> None:
        service.set_content(row, kept, who, give_name)

    return await stored(request.stream(), service.dataset_folder(row.id) / "content", row.name, remember)


@router.put("/datasets/{dataset}/files/{name}", **_takes_bytes(Role.OWNER))
async def put_file(request: Request, who: Who, dataset: DatasetId, name: FileName) -> Stored:
    """Store a file that the schema names: a hierarchy, or the demographics of a survey."""
    service = service_of(request)
    row = await to_thread.run_sync(service.dataset, dataset, who)
    if name in ("schema.toml", "content"):
        raise WordingError("This name is taken.", "Choose another one.")
    await to_thread.run_sync(service.refuse_what_the_desk_needs, row)

    def remember(_kept: Stored, give_name: Callable[[], None]) -> None:
        service.set_file(row, who, give_name)

    return await stored(request.stream(), service.dataset_folder(row.id), name, remember)


@router.get("/datasets/{dataset}", **rule(Role.OWNER))
def dataset(request: Request, who: Who, dataset: DatasetId) -> DatasetInfo:
    """Return a data set."""
    service = service_of(request)
    return _info(service, service.dataset(dataset, who))


@router.delete("/datasets/{dataset}", status_code=204, **rule(Role.OWNER))
def remove_dataset(request: Request, who: Who, dataset: DatasetId) -> None:
    """Remove a data set and everything that was uploaded with it; a file that is registered by its path stays."""
    service = service_of(request)
    service.remove_dataset(service.dataset(dataset, who), who)


@router.get("/datasets/{dataset}/overview", responses={202: {"model": JobInfo}}, **rule(Role.OWNER))
def overview(request: Request, response: Response, who: Who, dataset: DatasetId) -> JobInfo:
    """Return what is in a data set: the job that describes it, with its result once it is done (202 until then)."""
    service = service_of(request)
    row = service.dataset(dataset, who)
    job = None if row.overview_job is None else service.jobs.get(row.overview_job)
    if job is None:
        service.place_of(row)
        job = service.describe(row, who)
    response.headers["location"] = f"/api/v1/jobs/{job.id}"
    response.status_code = 200 if job.is_over else 202
    return JobInfo.of(job)


@router.get("/datasets/{dataset}/schema", **rule(Role.OWNER))
def schema(request: Request, who: Who, dataset: DatasetId) -> dict[str, Any]:
    """Return the schema of a data set, the settings of a schema file."""
    import tomllib

    service = service_of(request)
    file = service.dataset_folder(service.dataset(dataset, who).id) / "schema.toml"
    if not file.is_file():
        raise NotFound("The data set has no schema yet.", "PUT one; the overview suggests it.")
    return _plain(tomllib.loads(file.read_text(encoding="utf-8")))


@router.put("/datasets/{dataset}/schema", **rule(Role.OWNER))
def put_schema(
    request: Request, who: Who, dataset: DatasetId, settings: Annotated[dict[str, Any], Body()]
) -> dict[str, Any]:
    """Set the schema of a data set: the settings of a schema file. Files that it names must have been sent before."""
    service = service_of(request)
    row = service.dataset(dataset, who)
    service.set_schema(row, settings, who)
    return schema(request, who, dataset)


def _info(service: Service, row: DatasetRow) -> DatasetInfo:
    return DatasetInfo.of(row, has_schema=(service.dataset_folder(row.id) / "schema.toml").is_file())


def _plain(value: Any) -> Any:
    """Return TOML's values as JSON has them: dates as text."""
    if isinstance(value, dict):
        return {key: _plain(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_plain(below) for below in value]
    return value if isinstance(value, str | int | float | bool) else str(value)
