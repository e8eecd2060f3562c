"""A request to the desk while it is under way: followed and cancelled by whoever made it."""

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from shoal.server.access import Who, rule, service_of
from shoal.server.problems import NotFound
from shoal.server.service import Service
from shoal.server.store import Identity, JobRow, Role

from .desk_requests import _told
from .jobs import EVENTS, LastEvent, followed
from .models import JobId, JobInfo

__all__ = ["router"]

router = APIRouter(prefix="/desk", tags=["desk"])

_ASKERS = (Role.OWNER, Role.OFFICER, Role.REQUESTER)


def _own_request(service: Service, job: str, who: Identity) -> JobRow:
    row = service.job(job, who)
    if row.kind != "desk-request":
        raise NotFound("There is no such request.")
    return row


@router.get("/requests/{job}/events", **EVENTS, **rule(*_ASKERS))
async def request_events(request: Request, who: Who, job: JobId, last_event_id: LastEvent = 0) -> StreamingResponse:
    """Follow one of your requests (server-sent events). A requester hears when it is over, and of no stage.

    How far it came before it was refused would tell the reason.
    """
    service = service_of(request)
    row = await to_thread.run_sync(_own_request, service, job, who)
    return followed(service, who, row, last_event_id, with_stages=who.role is not Role.REQUESTER)


@router.post("/requests/{job}/cancel", status_code=202, **rule(*_ASKERS))
def cancel_request(request: Request, who: Who, job: JobId) -> JobInfo:
    """Ask one of your requests to stop. What was given before it stopped is given, and counts."""
    service = service_of(request)
    service.cancel(_own_request(service, job, who), who)
    return _told(service.job(job, who), who)
