"""The first page: data sets, releases and jobs; for other roles, the desk."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from shoal.server.access import service_of
from shoal.server.store import Role
from shoal.workbench.listed_jobs import listed_jobs
from shoal.workbench.own_data import OwnData
from shoal.workbench.released import releases_of
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import from_service
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_SHOWN = 10
_SAME = from_service(("datasets", "datasets()"), ("releases", "releases()"), ("jobs", "jobs()"))


@router.get("/", **for_roles(*Role))
def home(request: Request, who: Visitor, data: Annotated[int, Query(ge=1, le=10**6)] = 1) -> Response:
    """Show what there is; whoever is not the owner of data works at the desk."""
    if who.role is not Role.OWNER:
        return see_other("/desk")
    service = service_of(request)
    rows = service.datasets.of_user(who.name)
    first = (data - 1) * _SHOWN
    return page(
        request,
        "home.html",
        datasets=[OwnData(service, who, row) for row in rows[first : first + _SHOWN]],
        more=data + 1 if first + _SHOWN < len(rows) else None,
        releases=releases_of(service, who, _SHOWN),
        jobs=listed_jobs(service, service.jobs.of_user(who.name, most=_SHOWN)),
        same=_SAME,
    )
