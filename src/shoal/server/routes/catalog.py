"""What can be promised, done, tried and measured, with the schema of the settings: forms are made of it."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from shoal.jobs.catalog import catalog_of, measure_catalog
from shoal.server.access import rule
from shoal.server.store import Role

__all__ = ["router"]

router = APIRouter(tags=["catalog"])


class Named(BaseModel):
    """A promise, a method or an attack."""

    name: str
    kinds: list[str] = Field(description="On which data: ratings, table, survey.")
    summary: str
    settings: dict[str, Any] = Field(description="The JSON schema of its settings.")


class MeasureInfo(BaseModel):
    """A measure of what a release has lost."""

    name: str
    unit: str
    summary: str
    quick: bool = Field(description="Whether every release is measured by it.")


@router.get("/promises", **rule(*Role))
def promises() -> list[Named]:
    """Return every promise."""
    return [Named(**each) for each in catalog_of("promises")]


@router.get("/methods", **rule(*Role))
def methods() -> list[Named]:
    """Return every method."""
    return [Named(**each) for each in catalog_of("methods")]


@router.get("/attacks", **rule(*Role))
def attacks() -> list[Named]:
    """Return every attack."""
    return [Named(**each) for each in catalog_of("attacks")]


@router.get("/measures", **rule(*Role))
def measures() -> list[MeasureInfo]:
    """Return every measure."""
    return [MeasureInfo(**each) for each in measure_catalog()]
