"""Jobs: what is under way, what came of it, and how to stop it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from shoal.server.access import service_of
from shoal.server.routes.models import JobId
from shoal.server.store import Role
from shoal.workbench.computed import of_job
from shoal.workbench.listed_jobs import listed_job, listed_jobs
from shoal.workbench.rendering import own_address, page, see_other
from shoal.workbench.same_elsewhere import from_service
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_MOST = 50


@router.get("/jobs", **for_roles(Role.OWNER))
def jobs(request: Request, who: Visitor, before: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None) -> Response:
    """List jobs, the newest first."""
    service = service_of(request)
    found = service.jobs.of_user(who.name, before=before, most=_MOST)
    more = found[-1].number if len(found) == _MOST else None
    return page(
        request, "jobs.html", jobs=listed_jobs(service, found), more=more, same=from_service(("jobs", "jobs()"))
    )


@router.get("/jobs/{job}", **for_roles(Role.OWNER))
def one_job(request: Request, who: Visitor, job: JobId) -> Response:
    """Show a job: its progress, or what came of it."""
    service = service_of(request)
    found = service.job(job, who)
    return page(
        request,
        "job.html",
        computed=of_job(service, found),
        listed=listed_job(service, found),
        same=from_service((f"jobs/{job}", f"job({job!r})")),
    )


@router.post("/jobs/{job}/cancel", **for_roles(Role.OWNER))
def cancel(request: Request, who: Visitor, job: JobId, form: Posted) -> Response:
    """Ask a job to stop, and go back to the page it was stopped on."""
    service = service_of(request)
    service.cancel(service.job(job, who), who)
    return see_other(own_address(form.text("back"), "/jobs"))


@router.post("/jobs/{job}/remove", **for_roles(Role.OWNER))
def remove(request: Request, who: Visitor, job: JobId) -> Response:
    """Forget a job that is over, and what it found."""
    service = service_of(request)
    service.remove_job(service.job(job, who), who)
    return see_other("/jobs")
