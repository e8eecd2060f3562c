"""Releases that were made here: their certificates and files. Ledgers stay on the server."""

import shutil
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse

from shoal.errors import InputError
from shoal.jobs.release_files import files_of_release
from shoal.server.access import Who, rule, service_of
from shoal.server.problems import NotFound
from shoal.server.store import Role
from shoal.server.work.asks import ReportAsk, VerifyAsk

from .jobs import Wait, submitted
from .models import JobInfo, ReleaseId, ReleaseInfo

__all__ = ["file_of", "files_in", "router"]

router = APIRouter(tags=["releases"])


@router.get("/releases", **rule(Role.OWNER))
def releases(
    request: Request,
    who: Who,
    before: Annotated[str | None, Query(pattern=r"^[0-9a-f]{24}$", description="Only those before this one.")] = None,
    most: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[ReleaseInfo]:
    """Return your releases, the newest first, without the names of their files."""
    return [ReleaseInfo.of(row, []) for row in service_of(request).releases.of_user(who.name, before=before, most=most)]


@router.get("/releases/{release}", **rule(Role.OWNER))
def one_release(request: Request, who: Who, release: ReleaseId) -> ReleaseInfo:
    """Return a release: its certificate, and the names of its files."""
    service = service_of(request)
    row = service.release(release, who)
    return ReleaseInfo.of(row, files_in(service.release_folder(row.id) / "release"))


@router.get(
    "/releases/{release}/files/{name:path}",
    response_class=FileResponse,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
    **rule(Role.OWNER),
)
def release_file(request: Request, who: Who, release: ReleaseId, name: str) -> FileResponse:
    """Return a file of a release, as its certificate names it."""
    service = service_of(request)
    found = file_of(service.release_folder(service.release(release, who).id) / "release", name)
    service.watch.note_download(who, release=release, file=name)
    return found


def files_in(folder: Path) -> list[str]:
    """Return the names of the files of a release; where they are on the server is told to nobody."""
    try:
        return files_of_release(folder)
    except InputError:
        raise NotFound("The files of the release are not with the service any more.") from None


def file_of(folder: Path, name: str) -> FileResponse:
    """Return a file of a release, if its certificate names it."""
    if name not in files_in(folder) or not (folder / name).is_file():
        raise NotFound("The release has no such file.")
    return FileResponse(folder / name, media_type="application/octet-stream", filename=Path(name).name)


@router.delete("/releases/{release}", status_code=204, **rule(Role.OWNER))
def remove_release(request: Request, who: Who, release: ReleaseId) -> None:
    """Remove a release and its ledger from the server. What was handed out cannot be called back."""
    service = service_of(request)
    row = service.release(release, who)
    with who.acting():
        service.releases.remove(row.id)
    shutil.rmtree(service.release_folder(row.id), ignore_errors=True)


@router.post("/releases/{release}/verify", status_code=202, responses={200: {"model": JobInfo}}, **rule(Role.OWNER))
async def verify(request: Request, response: Response, who: Who, release: ReleaseId, wait: Wait = 0) -> JobInfo:
    """Check a release as anybody could who has its files."""
    ask = VerifyAsk(kind="verify", release=release, ledger=False)
    return await submitted(service_of(request), response, who, ask, wait)


@router.post("/releases/{release}/report", status_code=202, responses={200: {"model": JobInfo}}, **rule(Role.OWNER))
async def report(request: Request, response: Response, who: Who, release: ReleaseId, wait: Wait = 0) -> JobInfo:
    """Have the owner's page written; it is then at ``/jobs/{job}/report``."""
    return await submitted(service_of(request), response, who, ReportAsk(kind="report", release=release), wait)
