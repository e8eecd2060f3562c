"""What a request proves its sender with, and which proofs were found good a moment ago."""

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

from starlette.requests import HTTPConnection

__all__ = ["COOKIE", "Proof", "Proven", "address_of", "proof_of"]

COOKIE = "shoal_session"
_MOST = 10_000
"""How many proofs are remembered: those not heard of for the longest time are forgotten first."""


@dataclass(frozen=True)
class Proof:
    """A token, or the session of a browser."""

    kind: Literal["token", "session"]
    text: str


def proof_of(request: HTTPConnection) -> Proof | None:
    """Return what a request proves its sender with; whatever else its headers say does not make it another proof."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return Proof("token", token.strip())
    session = request.cookies.get(COOKIE)
    return Proof("session", session) if session else None


def address_of(request: HTTPConnection) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else "unknown"


class Proven:
    """Whose proofs were found good. Each request is recognized anew; this only says whose requests are counted."""

    def __init__(self) -> None:
        self._users: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def remember(self, proof: Proof, user: str) -> None:
        """Remember whose a proof is."""
        with self._lock:
            self._users[_hash(proof)] = user
            self._users.move_to_end(_hash(proof))
            if len(self._users) > _MOST:
                self._users.popitem(last=False)

    def user(self, proof: Proof | None) -> str | None:
        """Return whose a proof was; None where it was nobody's, or not heard of for long."""
        with self._lock:
            return None if proof is None else self._users.get(_hash(proof))


def _hash(proof: Proof) -> str:
    return hashlib.sha256(f"{proof.kind} {proof.text}".encode()).hexdigest()
