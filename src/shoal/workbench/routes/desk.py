"""The desk: what there is, purposes and requesters. What is done here is done by the operations of the service."""

from fastapi import APIRouter, Request, Response

from shoal.errors import ShoalError
from shoal.server.access import service_of
from shoal.server.fitted import fitted
from shoal.server.routes import desk as operations
from shoal.server.routes.desk import NewPurpose, NewRequester
from shoal.server.routes.desk_offers import offers
from shoal.server.routes.desk_oversight import Decision, approvals, close_requester, proposals
from shoal.server.routes.desk_requests import releases_for, requests
from shoal.server.store import Identity, Role
from shoal.workbench.desk_elsewhere import at_the_desk
from shoal.workbench.desk_sections import READERS, RUNNERS, sections_for
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import from_service
from shoal.workbench.tried import Tried
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_SHOWN = 10
_PURPOSES, _REQUESTERS = "/desk/purposes", "/desk/requesters"


@router.get("/desk", **for_roles(*Role))
def overview(request: Request, who: Visitor) -> Response:
    """Show what waits and what was released lately; a requester sees its own."""
    releases = releases_for(request, who, most=_SHOWN, newest_first=True)
    if who.role is Role.REQUESTER:
        return page(
            request,
            "desk_requester.html",
            sections=sections_for(who),
            offers=offers(request, who),
            requests=requests(request, who, most=_SHOWN),
            waiting=[each for each in approvals(request, who) if each.state == "waiting"],
            releases=releases,
            elsewhere=_ASKING,
        )
    return page(
        request,
        "desk.html",
        sections=sections_for(who),
        datasets=operations.desk_datasets(request),
        purposes=operations.purposes(request),
        requesters=operations.requesters(request),
        waiting=[each for each in approvals(request, who) if each.state == "waiting"],
        proposed=[each for each in proposals(request) if each.state == "open"],
        releases=releases,
        elsewhere=at_the_desk(
            service_of(request), who, "releases", call="releases()", asked=("desk/releases", 'desk("releases")')
        ),
    )


_ASKING = from_service(
    ("desk/offers", "offers()"), ("desk/requests", 'desk("requests")'), ("desk/releases", 'desk("releases")')
)


@router.get(_PURPOSES, **for_roles(*Role))
def purposes(request: Request, who: Visitor) -> Response:
    """List purposes."""
    return _purposes(request, who)


@router.post(_PURPOSES, **for_roles(*RUNNERS))
def add_purpose(request: Request, who: Visitor, form: Posted) -> Response:
    """Add a purpose."""
    texts = ("name", "priorities", "most", "least", "target")
    asked = {name: form.text(name) for name in texts if form.text(name)}
    try:
        new = fitted(NewPurpose, {"name": "", **asked, "bins": _whole(form.text("bins", "10"))})
        operations.add_purpose(request, who, new)
    except ShoalError as error:
        return _purposes(request, who, Tried.in_vain(form, error))
    return see_other(_PURPOSES)


def _purposes(request: Request, who: Identity, tried: Tried | None = None) -> Response:
    tried = tried or Tried.not_yet()
    return page(
        request,
        "desk_purposes.html",
        status=tried.status,
        sections=sections_for(who),
        tried=tried,
        purposes=operations.purposes(request),
        may_add=who.role in RUNNERS,
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "purpose",
            "research",
            call='add_purpose("research", Purpose(priorities="age:1;zip:0.5"))',
            asked=("desk/purposes", 'desk("purposes")'),
            imports="Desk, Purpose",
            priorities="age:1;zip:0.5",
        ),
    )


@router.get(_REQUESTERS, **for_roles(*READERS))
def requesters(request: Request, who: Visitor) -> Response:
    """List requesters."""
    return _requesters(request, who)


@router.post(_REQUESTERS, **for_roles(*RUNNERS))
def set_requester(request: Request, who: Visitor, form: Posted) -> Response:
    """Add a requester, or change how far one is trusted, until when and for what."""
    chosen = form.all("purposes")
    asked = {
        "name": form.text("name"),
        "trust": _decimal(form.text("trust")),
        "until": form.text("until") or None,
        "purposes": None if not form.text("purposes_said") else chosen or ["any"],
        "reopen": bool(form.text("reopen")),
    }
    try:
        operations.set_requester(request, who, fitted(NewRequester, asked))
    except ShoalError as error:
        return _requesters(request, who, Tried.in_vain(form, error, "set"))
    return see_other(_REQUESTERS)


@router.post(f"{_REQUESTERS}/close", **for_roles(*RUNNERS))
def close(request: Request, who: Visitor, form: Posted) -> Response:
    """Give a requester nothing more."""
    try:
        close_requester(request, who, form.text("name"), fitted(Decision, {"why": form.text("why")}))
    except ShoalError as error:
        return _requesters(request, who, Tried.in_vain(form, error, "close"))
    return see_other(_REQUESTERS)


def _requesters(request: Request, who: Identity, tried: Tried | None = None) -> Response:
    tried = tried or Tried.not_yet()
    known = operations.requesters(request)
    return page(
        request,
        "desk_requesters.html",
        status=tried.status,
        sections=sections_for(who),
        tried=tried,
        requesters=known,
        open_requesters=[(each.name, each.name) for each in known if each.state != "closed"],
        purposes=[each.name for each in operations.purposes(request)],
        may_change=who.role in RUNNERS,
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "requester",
            "city",
            call='set_requester("city", 0.5)',
            asked=("desk/requesters", 'desk("requesters")'),
            trust="0.5",
        ),
    )


def _whole(text: str) -> int | str:
    """Return a whole number where one was entered; whatever else it is does not fit."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _decimal(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
