"""Jobs: asked for, followed, cancelled. What a job makes is a release, a page or a result."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from anyio import to_thread
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import FileResponse, StreamingResponse

from shoal.server.access import Who, rule, service_of
from shoal.server.problems import NotFound
from shoal.server.service import Service
from shoal.server.store import Identity, JobRow, Role
from shoal.server.work.asks import AnyAsk, Ask
from shoal.server.work.events import read_on

from .models import JobId, JobInfo

__all__ = ["EVENTS", "LastEvent", "awaited", "followed", "router", "submitted"]

router = APIRouter(tags=["jobs"])

_PAUSE = 0.2  # seconds between two looks
_BEAT = 15.0  # seconds after which a stream that has nothing to say says that it is there

Wait = Annotated[float, Query(ge=0, le=60, description="How many seconds to wait for the job to be over.")]


_EVENT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "One event of the stream; its data are JSON.",
    "properties": {
        "id": {"type": "string", "description": "Its number; the last event, which says the state, has none."},
        "event": {"enum": ["begin", "advance", "end", "over"]},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "description": "begin: stage, parent, name, total; advance: stage, done, total; end: stage; over: state.",
        },
    },
    "required": ["event", "data"],
}


EVENTS: Final[dict[str, Any]] = {
    "response_class": StreamingResponse,
    "responses": {200: {"content": {"text/event-stream": {"schema": _EVENT}}}},
}
"""The settings of a route that answers with events."""
LastEvent = Annotated[int, Header(alias="last-event-id", ge=0, le=2**53)]


async def awaited(service: Service, row: JobRow, seconds: float) -> JobRow:
    """Return a job when it is over, or as it is after so many seconds."""
    while not row.is_over and seconds > 0:
        await asyncio.sleep(min(_PAUSE, seconds))
        seconds -= _PAUSE
        found = await to_thread.run_sync(service.jobs.get, row.id)
        if found is None:
            raise NotFound("There is no such job.")  # it was removed in the meantime
        row = found
    return row


async def submitted(service: Service, response: Response, who: Identity, ask: Ask, wait: float) -> JobInfo:
    """Let a job wait for its turn, say where it is followed, and return it when it is over or after so many seconds."""
    row = await to_thread.run_sync(service.submit, ask, who)
    response.headers["location"] = f"/api/v1/jobs/{row.id}"
    row = await awaited(service, row, wait)
    response.status_code = 200 if row.is_over else 202
    return JobInfo.of(row)


@router.get("/jobs", **rule(Role.OWNER))
def jobs(
    request: Request,
    who: Who,
    before: Annotated[int | None, Query(ge=0, le=2**31 - 1, description="Only those before this number.")] = None,
    most: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[JobInfo]:
    """Return your jobs, the newest first."""
    return [JobInfo.of(row) for row in service_of(request).jobs.of_user(who.name, before=before, most=most)]


@router.post("/jobs", status_code=202, responses={200: {"model": JobInfo}}, **rule(Role.OWNER))
async def add_job(request: Request, response: Response, who: Who, ask: AnyAsk, wait: Wait = 0) -> JobInfo:
    """Ask for a job. It waits for its turn; with ``wait``, the answer waits for it (200 once it is over)."""
    return await submitted(service_of(request), response, who, ask, wait)


@router.get("/jobs/{job}", **rule(Role.OWNER))
async def one_job(request: Request, who: Who, job: JobId, wait: Wait = 0) -> JobInfo:
    """Return a job; with ``wait``, when it is over or after so many seconds."""
    service = service_of(request)
    row = await to_thread.run_sync(service.job, job, who)
    return JobInfo.of(await awaited(service, row, wait))


@router.post("/jobs/{job}/cancel", status_code=202, **rule(Role.OWNER))
def cancel(request: Request, who: Who, job: JobId) -> JobInfo:
    """Ask a job to stop: politely, and after some seconds by force. Nothing unfinished is left behind."""
    service = service_of(request)
    row = service.job(job, who)
    service.cancel(row, who)
    return JobInfo.of(service.job(job, who))


@router.delete("/jobs/{job}", status_code=204, **rule(Role.OWNER))
def remove_job(request: Request, who: Who, job: JobId) -> None:
    """Remove a job that is over; a release that it made stays."""
    service = service_of(request)
    service.remove_job(service.job(job, who), who)


@router.get(
    "/jobs/{job}/report",
    response_class=FileResponse,
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
    **rule(Role.OWNER),
)
def report_page(request: Request, who: Who, job: JobId) -> FileResponse:
    """Return the owner's page that a job of the kind ``report`` has made. It is not for publication."""
    service = service_of(request)
    row = service.job(job, who)
    page = service.supervisor.folder_of(row.id).path / "report.html"
    if row.kind != "report" or row.state != "done" or not page.is_file():
        raise NotFound("The job has made no report.")
    return FileResponse(page, media_type="text/html", filename="report.html")


@router.get("/jobs/{job}/events", **EVENTS, **rule(Role.OWNER))
async def events(request: Request, who: Who, job: JobId, last_event_id: LastEvent = 0) -> StreamingResponse:
    """Follow a job: its stages as they begin, move on and end, and last its state (server-sent events).

    Whoever was cut off sends the id of the last event, and goes on from there.
    """
    service = service_of(request)
    row = await to_thread.run_sync(service.job, job, who)
    return followed(service, who, row, last_event_id)


def followed(
    service: Service, who: Identity, row: JobRow, after: int, *, with_stages: bool = True
) -> StreamingResponse:
    """Return the events of a job after a number as they come; or, without its stages, the last one alone."""
    events = _stream(service, who, row, after if with_stages else 2**63)
    return StreamingResponse(events, media_type="text/event-stream")


async def _stream(service: Service, who: Identity, row: JobRow, after: int) -> AsyncIterator[str]:
    folder, offset, silent = service.supervisor.folder_of(row.id), 0, 0.0
    while True:
        found = await to_thread.run_sync(service.jobs.get, row.id)
        if found is None or not await to_thread.run_sync(service.users.is_still_known, who):
            return  # the job was removed, or whoever follows it is let in no more
        events, offset = await to_thread.run_sync(read_on, folder.events, offset)
        for event in events:
            if event["id"] > after:
                yield f"id: {event['id']}\nevent: {event['event']}\ndata: {json.dumps(event)}\n\n"
        silent = 0.0 if events else silent + _PAUSE
        if found.is_over:
            yield f"event: over\ndata: {json.dumps({'state': found.state})}\n\n"
            return
        if silent >= _BEAT:
            silent = 0.0
            yield ": still there\n\n"
        await asyncio.sleep(_PAUSE)
