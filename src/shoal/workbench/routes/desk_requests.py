"""Requests to the desk and what was released: a requester asks in its own name, and sees its own alone."""

from functools import partial
from typing import Annotated
from urllib.parse import quote, urlencode

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response

from shoal.errors import ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.fitted import fitted
from shoal.server.routes import desk_requests as operations
from shoal.server.routes.desk import requesters
from shoal.server.routes.desk_offers import offers
from shoal.server.routes.desk_requests import DeskReleaseInfo, NewDryRun, NewRequest, Number, Revocation
from shoal.server.routes.models import JobId
from shoal.server.store import Identity, Role
from shoal.workbench.desk_elsewhere import at_the_desk
from shoal.workbench.desk_sections import ASKERS, RUNNERS, sections_for
from shoal.workbench.downloads import release_archive
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, from_service
from shoal.workbench.tried import Tried
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_MOST = 50
_FORMATS = [("csv", "CSV"), ("parquet", "Parquet")]
Name = Annotated[str, Query(max_length=200)]


@router.get("/desk/requests", **for_roles(*ASKERS))
def requests_page(request: Request, who: Visitor, dataset: Name = "", purpose: Name = "") -> Response:
    """List the requests of who looks, and ask for a view."""
    return _requests(request, who, chosen=(dataset, purpose))


@router.post("/desk/requests", **for_roles(*ASKERS))
async def ask(request: Request, who: Visitor, form: Posted) -> Response:
    """Ask for a view. The decision is a job, which the page that follows shows."""
    asked = {name: form.text(name) for name in ("dataset", "purpose", "format", "requester") if form.text(name)}
    try:
        made = await operations.add_request(request, Response(), who, fitted(NewRequest, asked))
    except ShoalError as error:
        return await to_thread.run_sync(partial(_requests, request, who, Tried.in_vain(form, error)))
    return see_other(f"/desk/requests/{made.id}")


def _requests(
    request: Request, who: Identity, tried: Tried | None = None, chosen: tuple[str, str] = ("", "")
) -> Response:
    tried = tried or Tried.not_yet()
    found = offers(request, who)
    return page(
        request,
        "desk_requests.html",
        status=tried.status,
        sections=sections_for(who),
        tried=tried,
        datasets=[(each, each) for each in found.datasets],
        purposes=[(each, each) for each in found.purposes],
        formats=_FORMATS,
        chosen=chosen,
        requesters=[(each.name, each.name) for each in requesters(request)] if who.role in RUNNERS else [],
        requests=operations.requests(request, who, most=_MOST),
        elsewhere=_asked(who, "DATASET", "PURPOSE", "REQUESTER"),
    )


@router.get("/desk/requests/{job}", **for_roles(*ASKERS))
async def one_request(request: Request, who: Visitor, job: JobId) -> Response:
    """Show a request: that it is being decided on, what was released, or that it was refused."""
    found = await operations.one_request(request, who, job)
    return page(
        request,
        "desk_request.html",
        sections=sections_for(who),
        asked=found,
        is_over=found.ended is not None,
        elsewhere=_asked(who, *(found.asked[each] for each in ("name", "purpose", "requester"))),
    )


@router.post("/desk/dry-runs", **for_roles(*RUNNERS))
async def try_out(request: Request, who: Visitor, form: Posted) -> Response:
    """Find out what a request would get, without making it."""
    asked = {name: form.text(name) for name in ("dataset", "purpose", "requester") if form.text(name)}
    try:
        made = await operations.add_dry_run(request, Response(), who, fitted(NewDryRun, asked))
    except ShoalError as error:
        return await to_thread.run_sync(partial(_requests, request, who, Tried.in_vain(form, error)))
    return see_other(f"/desk/dry-runs/{made.id}")


@router.get("/desk/dry-runs/{job}", **for_roles(*RUNNERS))
async def dry_run(request: Request, who: Visitor, job: JobId) -> Response:
    """Show what a request would get, and what each coalition would then know."""
    found = await operations.one_dry_run(request, who, job)
    named = (found.asked["name"], found.asked["purpose"], found.asked["requester"])
    of_whom = {"requester": named[2], "purpose": named[1]}
    return page(
        request,
        "desk_dry_run.html",
        sections=sections_for(who),
        tried_out=found,
        is_over=found.ended is not None,
        elsewhere=from_service(("desk/dry-runs", f"dry_run{named!r}"), sent={"dataset": named[0], **of_whom}),
    )


def _asked(who: Identity, dataset: str, purpose: str, requester: str) -> Same:
    named = {} if who.role is Role.REQUESTER else {"requester": requester}
    given = "".join(f", {name}={value!r}" for name, value in named.items())
    sent = {"dataset": dataset, "purpose": purpose, **named}
    return from_service(("desk/requests", f"request({dataset!r}, {purpose!r}{given})"), sent=sent)


@router.get("/desk/releases", **for_roles(*Role))
def releases(
    request: Request,
    who: Visitor,
    dataset: Name = "",
    requester: Name = "",
    upto: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Response:
    """List what was released, the newest first, 50 at a time; a requester sees its own."""
    part = {"most": _MOST + 1, "upto": upto, "newest_first": True}
    found = operations.releases_for(request, who, dataset or None, requester or None, **part)
    named = {name: value for name, value in (("dataset", dataset), ("requester", requester)) if value}
    return page(
        request,
        "desk_releases.html",
        sections=sections_for(who),
        releases=found[:_MOST],
        older="" if len(found) <= _MOST else "?" + urlencode({**named, "upto": found[_MOST].number}),
        dataset=dataset,
        requester=requester if who.role is not Role.REQUESTER else "",
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "releases",
            call=f"releases({repr(dataset) if dataset else ''})",
            asked=("desk/releases", 'desk("releases")'),
            dataset=dataset,
        ),
    )


@router.get("/desk/releases/{number}", **for_roles(*Role))
def release(request: Request, who: Visitor, number: Number) -> Response:
    """Show a release, with its files."""
    return _release(request, who, number)


def _release(request: Request, who: Identity, number: int, tried: Tried | None = None) -> Response:
    tried = tried or Tried.not_yet()
    found = operations.desk_release(request, who, number)
    return page(
        request,
        "desk_release.html",
        status=tried.status,
        sections=sections_for(who),
        release=found,
        tried=tried,
        may_revoke=who.role in RUNNERS,
        may_download=who.role in ASKERS,
        elsewhere=_taken(who, found),
    )


def _taken(who: Identity, release: DeskReleaseInfo) -> Same:
    """Return how the files of a release are downloaded and verified; who may not have them asks what is known of it."""
    number = release.number
    if who.role not in ASKERS or not release.files:
        return from_service((f"desk/releases/{number}", 'desk("releases")'))
    files = [f"desk/releases/{number}/files/{quote(each)}" for each in release.files]
    fetched = from_service(*((each, "") for each in files)).terminal.replace("curl ", "curl --remote-name ")
    python = from_service(("", f'download_view({number}, "view-{number}")')).python
    return Same(
        f"mkdir view-{number} && cd view-{number}\n{fetched}\nshoal verify .",
        f'{python}\nshoal.verify("view-{number}")',
    )


@router.get("/desk/releases/{number}/files/{name:path}", **for_roles(*ASKERS))
def release_file(request: Request, who: Visitor, number: Number, name: str) -> Response:
    """Return a file of a release."""
    return operations.desk_release_file(request, who, number, name)


@router.get("/desk/releases/{number}/release.zip", **for_roles(*ASKERS))
def whole_release(request: Request, who: Visitor, number: Number) -> Response:
    """Return all files of a release in one."""
    return release_archive(operations.given_folder(service_of(request), who, number), f"release-{number}")


@router.post("/desk/releases/{number}/revoke", **for_roles(*RUNNERS))
def revoke(request: Request, who: Visitor, number: Number, form: Posted) -> Response:
    """Mark a release as no longer to be used; it cannot be undone, so nobody does it by one careless click."""
    try:
        if not form.text("sure"):
            raise WordingError("A release cannot be made good again.", "Say that you are sure.")
        operations.revoke(request, who, number, fitted(Revocation, {"why": form.text("why")}))
    except ShoalError as error:
        return _release(request, who, number, Tried.in_vain(form, error))
    return see_other(f"/desk/releases/{number}")
