"""Oversight of the desk: the books as they are exported, requests that wait, and policies that two people change."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathParameter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from shoal.desk.listings import written_book
from shoal.server.access import Who, rule, service_of
from shoal.server.store import Role

__all__ = ["BookName", "router"]

router = APIRouter(prefix="/desk", tags=["desk"])

_READERS = (Role.OWNER, Role.OFFICER, Role.AUDITOR)
Number = Annotated[int, PathParameter(ge=1, le=2**31 - 1, description="Its number.")]
Word = Annotated[str | None, Query(max_length=200)]
Reason = Annotated[str, Field(max_length=2000)]
BookName = Literal[
    "requesters",
    "purposes",
    "datasets",
    "populations",
    "policies",
    "releases",
    "refusals",
    "approvals",
    "proposals",
    "log",
]


_LINES: dict[str, Any] = {"schema": {"type": "string", "description": "An entry a line; of CSV, the first has names."}}


class Decision(BaseModel):
    """Why it was decided so."""

    model_config = ConfigDict(extra="forbid")
    why: Reason = ""


class Refusal(BaseModel):
    """Why a request is refused; whoever asked is told."""

    model_config = ConfigDict(extra="forbid")
    why: Annotated[str, Field(min_length=1, max_length=2000)]


class ApprovalInfo(BaseModel):
    """A request that waits for an officer, or waited."""

    number: int
    dataset: str
    version: int
    requester: str
    purpose: str
    trust: float
    asked: str
    asked_by: str
    state: str
    decided: str | None
    decided_by: str | None
    why: str | None
    expires: str | None
    used_for: int | None = Field(description="The number of the release that it was used for.")


class ProposalInfo(BaseModel):
    """A change of a policy that waits for a second person, or waited."""

    number: int
    dataset: str
    parts: list[str]
    policy_before: dict[str, Any]
    policy: dict[str, Any]
    proposed: str
    proposed_by: str
    state: str
    decided: str | None
    decided_by: str | None
    why: str | None


class PopulationInfo(BaseModel):
    """A data set of the desk, and those that it is judged together with."""

    dataset: str
    population: str | None = Field(description="The name that its policy gives to its population.")
    versions: list[int]
    judged_with: list[str]
    people_in_common: dict[str, int] = Field(description="How many people are noticed in each of them, at most.")
    overlaps: list[dict[str, Any]] = Field(description="The same for each pair of versions.")


@router.get(
    "/books/{book}",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": _LINES, "text/csv": _LINES}}},
    **rule(Role.OWNER, Role.AUDITOR),
)
def book(
    request: Request,
    book: BookName,
    format: Literal["csv", "ndjson"] = "ndjson",  # noqa: A002 - its name in the address
    dataset: Word = None,
    requester: Word = None,
    purpose: Word = None,
    state: Word = None,
    event: Word = None,
    by: Word = None,
    since: Word = None,
    before: Word = None,
) -> StreamingResponse:
    """Return one of the books, or what filters choose of it, as NDJSON or CSV."""
    named: dict[str, Any] = {"dataset": dataset, "requester": requester, "purpose": purpose, "state": state}
    found = service_of(request).books.desk().book(book, **named, event=event, by=by, since=since, before=before)
    kind = "text/csv" if format == "csv" else "application/x-ndjson"
    return StreamingResponse(written_book(book, found, format), media_type=kind)


@router.get("/populations", **rule(*_READERS))
def populations(request: Request, dataset: Word = None) -> list[PopulationInfo]:
    """Return for each data set which others it is judged together with, and who is in both."""
    return [PopulationInfo(**each) for each in service_of(request).books.desk().book("populations", dataset=dataset)]


@router.get("/approvals", **rule(*Role))
def approvals(request: Request, who: Who, state: Word = None) -> list[ApprovalInfo]:
    """Return requests that wait for an officer, or waited; a requester sees its own."""
    own = who.requester if who.role is Role.REQUESTER else None
    found = service_of(request).books.desk().book("approvals", requester=own, state=state)
    return [ApprovalInfo(**each) for each in found]


@router.post("/approvals/{number}/approve", **rule(Role.OFFICER))
def approve(request: Request, who: Who, number: Number, decision: Decision) -> ApprovalInfo:
    """Approve a request that waits; whoever has asked for it cannot."""
    with who.acting():
        return ApprovalInfo(**service_of(request).books.desk().approve(number, decision.why))


@router.post("/approvals/{number}/refuse", **rule(Role.OFFICER))
def refuse(request: Request, who: Who, number: Number, refusal: Refusal) -> ApprovalInfo:
    """Refuse a request that waits."""
    with who.acting():
        return ApprovalInfo(**service_of(request).books.desk().refuse(number, refusal.why))


@router.get("/proposals", **rule(*_READERS))
def proposals(request: Request, state: Word = None) -> list[ProposalInfo]:
    """Return changes of policies that wait for a second person, or waited."""
    return [ProposalInfo(**each) for each in service_of(request).books.desk().book("proposals", state=state)]


@router.post("/proposals/{number}/confirm", **rule(Role.OWNER))
def confirm(request: Request, who: Who, number: Number) -> dict[str, Any]:
    """Let a change hold that somebody else has proposed; return the policy."""
    with who.acting():
        return service_of(request).books.desk().confirm(number).to_json()


@router.post("/proposals/{number}/reject", status_code=204, **rule(Role.OWNER))
def reject(request: Request, who: Who, number: Number, decision: Decision) -> None:
    """Let a change that was proposed never hold."""
    with who.acting():
        service_of(request).books.desk().reject(number, decision.why)


@router.post("/requesters/{name}/close", status_code=204, **rule(Role.OWNER, Role.OFFICER))
def close_requester(
    request: Request, who: Who, name: Annotated[str, PathParameter(min_length=1, max_length=200)], decision: Decision
) -> None:
    """Give a requester nothing more. What it was given goes on to count."""
    with who.acting():
        service_of(request).books.desk().close_requester(name, decision.why)
