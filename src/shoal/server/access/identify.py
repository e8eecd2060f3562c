"""Who sends a request: a token in its header, or the session of a browser.

A browser sends its cookie with whatever a page makes it send. What changes something must therefore come from a page of
ours, which knows the form token; a request with a token of its own needs none.
"""

import hashlib
import hmac
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from shoal.errors import ShoalError
from shoal.server.store import Identity

from .proofs import COOKIE, Proof, address_of, proof_of

if TYPE_CHECKING:
    from shoal.server.service import Service

__all__ = [
    "COOKIE",
    "SAFE",
    "Forbidden",
    "TooManyFailures",
    "Unknown",
    "Who",
    "form_token_of",
    "identify",
    "known",
    "known_by",
    "refuse_foreign",
    "service_of",
]

SAFE = ("GET", "HEAD", "OPTIONS")


class Unknown(ShoalError):  # noqa: N818
    """Nobody is known by what a request proves itself with."""

    http_status = 401


class Forbidden(ShoalError):  # noqa: N818
    """Who asks is known, and may not."""

    http_status = 403


class TooManyFailures(ShoalError):  # noqa: N818
    """An address has failed too often to prove who it is."""

    http_status = 429


def service_of(request: Request) -> "Service":
    """Return the service that answers."""
    return request.app.state.service


def identify(request: Request) -> Identity:
    """Return who sends a request, or raise; what a browser sends to change something must come from a page of ours."""
    who = known(request)
    request.state.who = who
    if request.method not in SAFE:
        refuse_foreign(request, who, request.headers.get("x-shoal-form", ""))
    return who


def known(request: Request) -> Identity:
    """Return who sends a request by its token or cookie, or raise."""
    who = known_by(request, proof_of(request))
    if who is None:
        raise Unknown(
            "Nobody is logged in.", "Send a token, Authorization: Bearer TOKEN, or open the address with one."
        )
    return who


def known_by(request: Request, proof: Proof | None) -> Identity | None:
    """Return who is known by a proof, None where nobody is; or raise where an address has failed too often.

    Whoever has a good proof is let in all the same: others may share the address.
    """
    if proof is None:
        return None
    service = service_of(request)
    users = service.users
    who = users.known_by_token(proof.text) if proof.kind == "token" else users.known_by_session(proof.text)
    if who is not None:
        service.proven.remember(proof, who.name)
    elif service.failures.take(address_of(request)):
        raise TooManyFailures("Too many failures to log in from this address.", "Wait a minute.")
    elif proof.kind == "token":  # sessions end by themselves, and browsers come back with them
        service.watch.note_stranger(address_of(request))
    return who


def refuse_foreign(request: Request, who: Identity, given: str) -> None:
    """Refuse what another site has made a browser send: ``given`` must be the form token of its session."""
    if who.session is None:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    is_own = site in ("same-origin", "none") if site is not None else origin in (own, None)
    if not is_own or not hmac.compare_digest(given.encode(errors="replace"), form_token_of(who).encode()):
        raise Forbidden("The request does not come from a page of this service.", "Load the page again.")


def form_token_of(who: Identity) -> str:
    """Return the form token of a session; it follows from the cookie, which scripts cannot read."""
    return hashlib.sha256(f"form {who.session}".encode()).hexdigest()


Who = Annotated[Identity, Depends(identify)]
"""Who asks, as a parameter of an operation."""
