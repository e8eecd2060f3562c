"""The log of the desk, filtered and exported, and its audit."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from shoal.errors import ShoalError
from shoal.server.access import service_of
from shoal.server.problems import NotFound, problem_of
from shoal.server.routes.desk import audit
from shoal.server.routes.desk_oversight import book
from shoal.server.routes.desk_requests import Number
from shoal.server.service import Service
from shoal.server.store import Identity, Role
from shoal.workbench.desk_elsewhere import at_the_desk
from shoal.workbench.desk_sections import BOOKKEEPERS, READERS, sections_for
from shoal.workbench.rendering import page
from shoal.workbench.same_elsewhere import from_service
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_MOST = 50
_FILTERS = {
    "dataset": "data set",
    "requester": "requester",
    "purpose": "purpose",
    "event": "event",
    "by": "done by",
    "since": "since",
    "before": "before",
}


@router.get("/desk/log", **for_roles(*BOOKKEEPERS))
def log(request: Request, who: Visitor, upto: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None) -> Response:
    """Show the log, the newest entries first, 50 at a time, as far as filters choose them."""
    desk, chosen, problem = service_of(request).books.desk(), _chosen(request), None
    try:
        found = desk.book("log", most=_MOST + 1, upto=upto, newest_first=True, **chosen)
    except ShoalError as error:  # a name that the desk does not know, or a time that cannot be read
        found, problem = [], problem_of(error)
    given = "".join(f", {name}={value!r}" for name, value in chosen.items())
    return page(
        request,
        "desk_log.html",
        status=200 if problem is None else problem["status"],
        sections=sections_for(who),
        entries=found[:_MOST],
        many=desk.count_log(),
        names=_names(service_of(request), who),
        filters=[(name, label, chosen.get(name, "")) for name, label in _FILTERS.items()],
        problem=problem,
        older="" if len(found) <= _MOST else "?" + urlencode({**chosen, "upto": found[_MOST]["number"]}),
        export="?" + urlencode({**chosen, "format": ""}),
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "log",
            call=f'book("log"{given})',
            asked=(f"desk/books/log?{urlencode({**chosen, 'format': 'ndjson'})}", f'book("log"{given})'),
            **chosen,
        ),
    )


@router.get("/desk/log/export", **for_roles(*BOOKKEEPERS))
def export(
    request: Request,
    who: Visitor,  # noqa: ARG001 - whoever looks is found out
    format: Literal["csv", "ndjson"] = "csv",  # noqa: A002 - its name in the address
) -> Response:
    """Return the log as a file, as far as filters choose it."""
    answer = book(request, "log", format, **_chosen(request))
    answer.headers["content-disposition"] = f'attachment; filename="desk-log.{format}"'
    return answer


@router.get("/desk/log/{number}", **for_roles(*BOOKKEEPERS))
def entry(request: Request, who: Visitor, number: Number) -> Response:
    """Show one entry of the log with all that it tells."""
    found = service_of(request).books.desk().log(number - 1, 1)
    if not found or found[0]["number"] != number:
        raise NotFound("The log has no such entry.")
    one = from_service((f"desk/log?after={number - 1}", f"log({number - 1})[0]"))
    return page(request, "desk_entry.html", sections=sections_for(who), entry=found[0], elsewhere=one)


def _names(service: Service, who: Identity) -> dict[str, str]:
    """Return what the data sets of an owner are called, by the number in the log; of others, nobody is told."""
    return {each.id: each.name for each in service.datasets.of_user(who.name)} if who.role is Role.OWNER else {}


def _chosen(request: Request) -> dict[str, Any]:
    given = request.query_params
    return {name: given[name].strip() for name in _FILTERS if given.get(name, "").strip()}


@router.get("/desk/audit", **for_roles(*READERS))
def audit_page(
    request: Request,
    who: Visitor,
    check: Literal["", "yes"] = "",
    noted: Annotated[str, Query(max_length=100)] = "",
    folders: Literal["", "yes"] = "",
) -> Response:
    """Check the log and the books, once asked to."""
    noted = noted.strip().lower()
    is_hash = len(noted) == 64 and not noted.strip("0123456789abcdef")
    problem = None
    if check and noted and not is_hash:
        problem = {"title": "What was noted is not a hash of the log.", "detail": "It has 64 digits from 0 to f."}
    found = audit(request, folders=bool(folders), noted=noted or None) if check and problem is None else None
    return page(
        request,
        "desk_audit.html",
        status=200 if problem is None else 400,
        sections=sections_for(who),
        found=found,
        problem=problem,
        noted=noted,
        folders=folders,
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "audit",
            call=f"audit(folders={bool(folders)}{f', noted={noted!r}' if noted else ''})",
            asked=("desk/audit", "audit()"),
            folders=bool(folders),
            noted=noted,
        ),
    )
