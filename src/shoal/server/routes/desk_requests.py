"""Requests to the desk, and what was released for them. A requester asks in its own name, and sees its own alone."""

from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from shoal.desk.names import known_name
from shoal.errors import WordingError
from shoal.server.access import Who, rule, service_of
from shoal.server.access.identify import Forbidden
from shoal.server.problems import NotFound, problem
from shoal.server.service import Service
from shoal.server.store import Identity, JobRow, Role
from shoal.server.work.asks import DryRunAsk, RequestAsk

from .desk import Name
from .jobs import Wait, awaited
from .models import JobId, JobInfo
from .releases import file_of, files_in

__all__ = ["given_folder", "releases_for", "router"]

router = APIRouter(prefix="/desk", tags=["desk"])

_RUNNERS = (Role.OWNER, Role.OFFICER)
_ASKERS = (Role.OWNER, Role.OFFICER, Role.REQUESTER)
_SEEING = (Role.OWNER, Role.OFFICER, Role.AUDITOR, Role.REQUESTER)
_REFUSED = "The policy of the data set does not allow this."
"""All that a requester learns of a refusal: the reason would tell what others were given."""
_GIVEN = ("done", "revoked", "expired")
_AWAITED = "urn:shoal:approval-awaited"

Number = Annotated[int, PathParameter(ge=1, le=2**31 - 1, description="The number of a release of the desk.")]


class NewRequest(BaseModel):
    """What is asked for, and for what purpose."""

    model_config = ConfigDict(extra="forbid")
    dataset: Name
    purpose: Name
    requester: Name | None = Field(None, description="In whose name; a requester always asks in its own.")
    format: Annotated[str, Field(max_length=50)] = "csv"


class DeskReleaseInfo(BaseModel):
    """What was released to whom."""

    number: int
    dataset: str
    version: int
    requester: str
    purpose: str
    degree_asked: float
    degree_reached: float
    decided: str
    sha256: str | None
    state: str
    expires: str | None
    files: list[str] = Field(default=[], description="The names of its files, where it is asked for alone.")


@router.post("/requests", status_code=202, responses={200: {"model": JobInfo}}, **rule(*_ASKERS))
async def add_request(request: Request, response: Response, who: Who, new: NewRequest, wait: Wait = 0) -> JobInfo:
    """Ask the desk for a view. The decision and the release are a job; a refusal is its outcome."""
    service = service_of(request)
    ask = _ask_of(who, new)
    row = await awaited(service, await to_thread.run_sync(service.submit_for_desk, ask, who), wait)
    response.status_code = 200 if row.is_over else 202
    response.headers["location"] = f"/api/v1/desk/requests/{row.id}"
    return _told(row, who)


def _ask_of(who: Who, new: NewRequest) -> RequestAsk:
    requester = new.requester or who.requester
    if requester is None:
        raise WordingError("It is not said in whose name the request is made.", "Name the requester.")
    if who.role is Role.REQUESTER and requester != who.requester:
        raise Forbidden("A requester asks in its own name.")
    named: dict[str, Any] = {"name": new.dataset, "requester": requester, "purpose": new.purpose}
    return RequestAsk(kind="desk-request", **named, format=new.format)


@router.get("/requests", **rule(*_ASKERS))
def requests(request: Request, who: Who, most: Annotated[int, Query(ge=1, le=1000)] = 100) -> list[JobInfo]:
    """Return your requests, the newest first."""
    rows = service_of(request).jobs.of_user(who.name, most=most, kind="desk-request")
    return [_told(row, who) for row in rows]


@router.get("/requests/{job}", **rule(*_ASKERS))
async def one_request(request: Request, who: Who, job: JobId, wait: Wait = 0) -> JobInfo:
    """Return one of your requests; with ``wait``, when it is decided or after so many seconds."""
    service = service_of(request)
    row = await to_thread.run_sync(service.job, job, who)
    if row.kind != "desk-request":
        raise NotFound("There is no such request.")
    return _told(await awaited(service, row, wait), who)


def _told(row: JobRow, who: Who) -> JobInfo:
    """Return what the one who asked may know: a requester learns no reason."""
    told = JobInfo.of(row)
    if who.role is Role.REQUESTER and told.problem is not None and told.problem.type != _AWAITED:
        sentence = _REFUSED if row.state == "refused" else "The request could not be carried out."
        # a status tells reasons apart as a sentence would
        told.problem = told.problem.model_validate(problem(403 if row.state == "refused" else 409, sentence))
    return told


class NewDryRun(BaseModel):
    """Who would ask for what, and for what purpose."""

    model_config = ConfigDict(extra="forbid")
    dataset: Name
    purpose: Name
    requester: Name


@router.post("/dry-runs", status_code=202, responses={200: {"model": JobInfo}}, **rule(*_RUNNERS))
async def add_dry_run(request: Request, response: Response, who: Who, new: NewDryRun, wait: Wait = 0) -> JobInfo:
    """Ask what a request would get and what each coalition would then know; nothing of it counts. It is a job."""
    service = service_of(request)
    ask = DryRunAsk(kind="desk-dry-run", name=new.dataset, requester=new.requester, purpose=new.purpose)
    row = await awaited(service, await to_thread.run_sync(service.submit_for_desk, ask, who), wait)
    response.status_code = 200 if row.is_over else 202
    response.headers["location"] = f"/api/v1/desk/dry-runs/{row.id}"
    return _told(row, who)


@router.get("/dry-runs/{job}", **rule(*_RUNNERS))
async def one_dry_run(request: Request, who: Who, job: JobId, wait: Wait = 0) -> JobInfo:
    """Return one of your dry runs; with ``wait``, when it is over or after so many seconds."""
    service = service_of(request)
    row = await to_thread.run_sync(service.job, job, who)
    if row.kind != "desk-dry-run":
        raise NotFound("There is no such dry run.")
    return _told(await awaited(service, row, wait), who)


@router.get("/releases", **rule(*_SEEING))
def desk_releases(
    request: Request,
    who: Who,
    dataset: Annotated[str | None, Query(max_length=200)] = None,
    requester: Annotated[str | None, Query(max_length=200)] = None,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="Only releases after this number.")] = 0,
    most: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> list[DeskReleaseInfo]:
    """Return what was released, the oldest first; a requester sees its own."""
    return releases_for(request, who, dataset, requester, after=after, most=most)


def releases_for(
    request: Request, who: Identity, dataset: str | None = None, requester: str | None = None, **part: Any
) -> list[DeskReleaseInfo]:
    """Return a part of the releases (:meth:`shoal.desk.Desk.book`), as far as somebody may see them."""
    desk = service_of(request).books.desk()
    if who.role is not Role.REQUESTER:
        return [_info(each) for each in desk.book("releases", dataset=dataset, requester=requester, **part)]
    most = part.pop("most", None)
    own = desk.book("releases", dataset=dataset, requester=who.requester, **part)
    return [_info(each) for each in own if each["state"] in _GIVEN][:most]


@router.get("/releases/{number}", **rule(*_SEEING))
def desk_release(request: Request, who: Who, number: Number) -> DeskReleaseInfo:
    """Return a release of the desk, and the names of its files."""
    found = _release(service_of(request), who, number)
    files = files_in(Path(found["folder"])) if found["state"] == "done" else []
    return _info(found, files)


@router.get(
    "/releases/{number}/files/{name:path}",
    response_class=FileResponse,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
    **rule(*_ASKERS),
)
def desk_release_file(request: Request, who: Who, number: Number, name: str) -> FileResponse:
    """Return a file of a release of the desk."""
    service = service_of(request)
    found = file_of(given_folder(service, who, number), name)
    service.watch.note_download(who, view=number, file=name)
    return found


def given_folder(service: Service, who: Identity, number: int) -> Path:
    """Return the folder of a release that may still be used by who asks, or raise."""
    found = _release(service, who, number)
    if found["state"] != "done":
        raise NotFound("There is no such release.")
    return Path(found["folder"])


class Revocation(BaseModel):
    """Why a release is not to be used any more."""

    model_config = ConfigDict(extra="forbid")
    why: Annotated[str, Field(max_length=2000)] = ""


@router.post("/releases/{number}/revoke", **rule(Role.OWNER, Role.OFFICER))
def revoke(request: Request, who: Who, number: Number, revocation: Revocation) -> DeskReleaseInfo:
    """Mark a release as no longer to be used. It was seen, and still counts."""
    service = service_of(request)
    with who.acting():
        service.books.desk().revoke(number, revocation.why)
    return _info(_release(service, who, number))


def _release(service: Service, who: Who, number: int) -> dict[str, Any]:
    found = service.books.desk().release(number)
    is_own = who.role is not Role.REQUESTER or (
        found is not None and found["requester"] == known_name(str(who.requester)) and found["state"] in _GIVEN
    )
    if found is None or not is_own:
        raise NotFound("There is no such release.")
    return found


def _info(row: dict[str, Any], files: list[str] | None = None) -> DeskReleaseInfo:
    told = {name: row[name] for name in DeskReleaseInfo.model_fields if name != "files"}
    return DeskReleaseInfo(**told, files=files or [])
