"""The style sheet, the script and the icon of the pages."""

from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Response

from shoal.server.problems import NotFound
from shoal.workbench.visitors import everybody

__all__ = ["router"]

router = APIRouter()

_TYPES: Final = {"workbench.css": "text/css", "workbench.js": "text/javascript", "icon.svg": "image/svg+xml"}


@router.get("/static/{version}/{name}", **everybody())
def static(version: str, name: str) -> Response:  # noqa: ARG001 - the version is in the address so that it may be kept
    """Return a file that pages need; browsers keep it until Shoal has another version."""
    if name not in _TYPES:
        raise NotFound("There is no such file.")
    content = files("shoal.workbench").joinpath("static", name).read_bytes()
    return Response(content, media_type=_TYPES[name], headers={"cache-control": "private, max-age=86400"})


@router.get("/favicon.ico", **everybody())
def icon() -> Response:
    """Return the icon under the name that browsers try."""
    return static("any", "icon.svg")
