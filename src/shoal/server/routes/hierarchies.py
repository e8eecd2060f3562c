"""Hierarchies of the columns of a data set: suggested, checked and drawn while somebody works on them."""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from shoal.server.access import Who, rule, service_of
from shoal.server.store import Role
from shoal.server.work.asks import (
    LONGEST_HIERARCHY,
    Ask,
    CheckHierarchyAsk,
    DrawHierarchyAsk,
    Finite,
    SuggestHierarchyAsk,
)

from .jobs import Wait, submitted
from .models import DatasetId, JobInfo

__all__ = ["router"]

router = APIRouter(tags=["datasets"])

Content = Annotated[str, Field(max_length=LONGEST_HIERARCHY)]
ColumnName = Annotated[str, Field(max_length=2000)]


class Suggestion(BaseModel):
    """Of which column, and of which kind."""

    model_config = ConfigDict(extra="forbid")
    column: ColumnName
    hierarchy: Annotated[str, Field(max_length=100)] | None = None
    widths: Annotated[list[Finite], Field(max_length=50)] | None = None
    parts: Annotated[list[StrictInt], Field(max_length=50)] | None = None
    shares: Annotated[list[Finite], Field(max_length=50)] | None = None


class Checking(BaseModel):
    """A hierarchy as its file has it, and the column that it is for."""

    model_config = ConfigDict(extra="forbid")
    column: ColumnName
    content: Content


class Drawing(BaseModel):
    """Which hierarchy to draw: that of the schema, or one as its file has it."""

    model_config = ConfigDict(extra="forbid")
    column: ColumnName
    content: Content | None = None
    most: Annotated[int, Field(ge=1, le=1000, strict=True)] = 10


_OVER: dict[str, Any] = {"status_code": 202, "responses": {200: {"model": JobInfo}}, **rule(Role.OWNER)}


@router.post("/datasets/{dataset}/hierarchies/suggest", **_OVER)
async def suggest(
    request: Request, response: Response, who: Who, dataset: DatasetId, asked: Suggestion, wait: Wait = 10
) -> JobInfo:
    """Suggest a hierarchy for a column: how coarse its levels are and, unless it is too long, its ``content``."""
    ask = SuggestHierarchyAsk(kind="suggest-hierarchy", dataset=dataset, **asked.model_dump())
    return await _asked(request, response, who, ask, wait)


@router.post("/datasets/{dataset}/hierarchies/check", **_OVER)
async def check(
    request: Request, response: Response, who: Who, dataset: DatasetId, asked: Checking, wait: Wait = 10
) -> JobInfo:
    """Find every fault of a hierarchy, and every value of the column that it misses."""
    ask = CheckHierarchyAsk(kind="check-hierarchy", dataset=dataset, **asked.model_dump())
    return await _asked(request, response, who, ask, wait)


@router.post("/datasets/{dataset}/hierarchies/draw", **_OVER)
async def draw(
    request: Request, response: Response, who: Who, dataset: DatasetId, asked: Drawing, wait: Wait = 10
) -> JobInfo:
    """Draw a hierarchy as a tree, with how many records each label has."""
    ask = DrawHierarchyAsk(kind="draw-hierarchy", dataset=dataset, **asked.model_dump())
    return await _asked(request, response, who, ask, wait)


async def _asked(request: Request, response: Response, who: Who, ask: Ask, wait: float) -> JobInfo:
    return await submitted(service_of(request), response, who, ask, wait)
