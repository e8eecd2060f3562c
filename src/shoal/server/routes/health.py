"""Whether the service is there, and which version it is."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from shoal.server.access import PUBLIC, rule
from shoal.server.store import Role
from shoal.version import __version__

__all__ = ["router"]

router = APIRouter(tags=["service"])


class Health(BaseModel):
    """The service answers."""

    status: Literal["ok"] = "ok"


class Version(BaseModel):
    """The version of Shoal."""

    version: str
    api: Literal["v1"] = "v1"


@router.get("/health", **PUBLIC)
def health() -> Health:
    """Say that the service is there."""
    return Health()


@router.get("/version", **rule(*Role))
def version() -> Version:
    """Return the version of Shoal and of this interface."""
    return Version(version=__version__)
