"""Look me up: what a release says of somebody who tells what she knows of herself. Nothing of it is kept."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from shoal.server.access import Who, rule, service_of
from shoal.server.service import Service
from shoal.server.store import Identity, Role
from shoal.server.work.unkept import LookupOrder

from .desk_requests import Number, given_folder
from .models import ReleaseId
from .releases import files_in

__all__ = ["Known", "KnownItem", "LookupInfo", "look_up_in", "router"]

router = APIRouter(tags=["lookup"])

_Word = Annotated[str, Field(max_length=500)]


class KnownItem(BaseModel):
    """An item that somebody has or rated; without a rating, that she did not."""

    model_config = ConfigDict(extra="forbid")
    item: Annotated[str, Field(min_length=1, max_length=500)]
    rating: Annotated[str, Field(max_length=100)] = ""
    date: Annotated[str, Field(max_length=100)] = ""


class Known(BaseModel):
    """What somebody knows of herself."""

    model_config = ConfigDict(extra="forbid")
    values: Annotated[dict[_Word, _Word], Field(max_length=1000)] = Field({}, description="By column, for a table.")
    items: Annotated[list[KnownItem], Field(max_length=5000)] = Field([], description="Of ratings, sets or a survey.")
    tolerance: Annotated[str, Field(max_length=50)] | None = Field(None, description="In rating points.")

    def __repr__(self) -> str:
        return "Known()"  # a message must not have what somebody said of herself


class LookupInfo(BaseModel):
    """What the release says: as ``shoal lookup --json`` prints it, and in sentences."""

    model_config = ConfigDict(extra="allow")
    kind: str
    records: int
    said: list[str]
    doubts: list[str]
    """What may be mistyped."""
    reading: str
    fits: list[dict[str, Any]]


@router.post("/releases/{release}/lookup", **rule(Role.OWNER))
def lookup(request: Request, who: Who, release: ReleaseId, known: Known) -> LookupInfo:
    """Say which records of a release fit what somebody knows of herself. Nothing that is sent is kept."""
    service = service_of(request)
    return look_up_in(service, service.release_folder(service.release(release, who).id) / "release", who, known)


@router.post("/desk/releases/{number}/lookup", **rule(Role.OWNER, Role.OFFICER, Role.REQUESTER))
def desk_lookup(request: Request, who: Who, number: Number, known: Known) -> LookupInfo:
    """Say the same of a release of the desk, of which a requester sees its own."""
    service = service_of(request)
    return look_up_in(service, given_folder(service, who, number), who, known)


def look_up_in(service: Service, folder: Path, who: Identity, known: Known) -> LookupInfo:
    """Look somebody up in a release folder; for owners, their own hierarchies explain labels."""
    files_in(folder)
    ledger = folder.parent / "ledger"
    order = LookupOrder(
        folder=str(folder),
        ledger=str(ledger) if who.role is Role.OWNER and ledger.is_dir() else None,
        values=known.values,
        items=[each.model_dump() for each in known.items],
        tolerance=known.tolerance,
    )
    return LookupInfo(**service.unkept.look_up(order))
