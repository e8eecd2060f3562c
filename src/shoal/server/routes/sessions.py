"""The session of a browser: opened with a token, known by a cookie that no script can read."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from shoal.server.access import PUBLIC, Who, form_token_of, rule, service_of
from shoal.server.access.identify import Unknown, known_by
from shoal.server.access.proofs import COOKIE, Proof
from shoal.server.store import Role

__all__ = ["ENTRANCE", "open_session", "router"]

router = APIRouter(tags=["service"])
ENTRANCE = APIRouter(include_in_schema=False)
"""Where a browser comes in with the address that was printed."""


class Entry(BaseModel):
    """What a session is opened with."""

    model_config = ConfigDict(extra="forbid")
    token: Annotated[str, Field(max_length=200)]


class SessionInfo(BaseModel):
    """Who is logged in."""

    user: str
    role: Role
    requester: str | None = Field(description="In whose name a requester asks.")
    form_token: str | None = Field(description="To be sent as X-Shoal-Form with what changes something.")


def open_session(request: Request, response: Response, token: str) -> SessionInfo:
    """Open a session with a token, and set its cookie; or raise."""
    service = service_of(request)
    who = known_by(request, Proof("token", token))
    if who is None:
        raise Unknown("The token is not known, or no longer good.", "Ask for another one.")
    with who.acting():
        text = service.users.open_session(who)
    secure = service.settings.is_encrypted
    response.set_cookie(COOKIE, text, httponly=True, samesite="strict", secure=secure, path="/", max_age=12 * 3600)
    return SessionInfo(user=who.name, role=who.role, requester=who.requester, form_token=None)


@router.post("/session", **PUBLIC)
def enter(request: Request, response: Response, entry: Entry) -> SessionInfo:
    """Open a session with a token; the answer sets its cookie."""
    return open_session(request, response, entry.token)


@router.get("/session", **rule(*Role))
def current(who: Who) -> SessionInfo:
    """Return who is logged in, and the form token of the session."""
    token = None if who.session is None else form_token_of(who)
    return SessionInfo(user=who.name, role=who.role, requester=who.requester, form_token=token)


@router.delete("/session", status_code=204, **rule(*Role))
def leave(request: Request, response: Response, who: Who) -> None:
    """End the session."""
    if who.session is not None:
        with who.acting():
            service_of(request).users.end_session(who)
    response.delete_cookie(COOKIE, path="/")


@ENTRANCE.get("/enter", **PUBLIC)
def enter_by_address(request: Request, token: str = "") -> Response:
    """Exchange the token of an address for the cookie of a session; the token leaves the address."""
    response = RedirectResponse("/api/v1/session" if request.app.state.pages is None else "/", status_code=303)
    open_session(request, response, token)
    return response
