"""What every request passes before it is looked at, and what every answer says to browsers.

A page of another site can make a browser send requests here, and by a name of its own that leads to this machine even
read the answers. So the name of the host must be one of ours, and what a browser may load is said by every answer.
"""

import asyncio
import json
import logging
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from shoal.interruptions import interruption_behind
from shoal.server.problems import PROBLEM_TYPE, problem
from shoal.server.settings import ServiceSettings

from .proofs import Proven, address_of, proof_of
from .rates import Rates

__all__ = ["Guards"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
OnFault = Callable[[Request, Exception], Response]

_log = logging.getLogger("shoal.server")

_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # without one, browsers send no origin with forms either
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class _UnfitBodyError(Exception):
    """A body turned out to be larger than it may be, or stopped coming."""


class _Body:
    """The body of a request as it comes: no larger than it may be, and without long pauses."""

    def __init__(self, most: int, silence: float) -> None:
        self._most, self._silence = most, silence
        self._seen, self._is_whole = 0, False
        self.fault: dict[str, Any] | None = None

    async def next(self, receive: Receive) -> Message:
        """Return what comes next, or raise; once the body is whole, what comes is that the client has left."""
        try:
            async with asyncio.timeout(None if self._is_whole else self._silence):
                message = await receive()
        except TimeoutError:
            self.fault = problem(408, "The body of the request has stopped coming.")
            raise _UnfitBodyError from None
        self._is_whole = self._is_whole or not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            self.fault = problem(413, "The body of the request is too large.")
            raise _UnfitBodyError
        return message


class Guards:
    """An application behind guards."""

    def __init__(self, app: App, settings: ServiceSettings, proven: Proven, on_fault: OnFault) -> None:
        """``on_fault`` answers where something went wrong that should not have."""
        self._app, self._settings, self._proven, self._on_fault = app, settings, proven, on_fault
        self._rates = Rates(settings.limits.requests_per_second, settings.limits.burst)
        self._open: Counter[str] = Counter()
        self._headers = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
        if settings.is_encrypted:
            self._headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        client = self._client_of(HTTPConnection(scope))
        refusal = self._refusal(scope, headers, client)
        if refusal is not None:
            await self._answer(send, *refusal)
            return
        self._open[client] += 1
        try:
            await self._pass(scope, receive, send)
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]

    def _refusal(
        self, scope: Scope, headers: dict[str, str], client: str
    ) -> tuple[dict[str, Any], dict[str, str]] | None:
        if _host_of(headers.get("host", "")) not in self._settings.hosts:
            return problem(400, "This service is not known by that name."), {}
        if self._open[client] >= self._settings.limits.open_requests:
            return problem(429, "Too many requests are under way.", "Wait until some are over."), {"retry-after": "1"}
        wait = self._rates.take(client)
        if wait:
            told = problem(429, "Too many requests.", "Wait a moment.")
            return told, {"retry-after": str(int(wait) + 1)}
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > self._most(scope):
            return problem(413, "The body of the request is too large."), {}
        return None

    def _client_of(self, request: HTTPConnection) -> str:
        """Return who is counted: the user whose proof was found good before or, of anybody else, the address."""
        user = self._proven.user(proof_of(request))
        return f"address {address_of(request)}" if user is None else f"user {user}"

    def _most(self, scope: Scope) -> int:
        limits = self._settings.limits
        return limits.upload if _is_upload(scope) else limits.body

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, begun = _Body(self._most(scope), self._settings.limits.silence_seconds), False

        async def counted() -> Message:
            return await body.next(receive)

        def is_unfit() -> bool:
            return body.fault is not None and not begun  # whatever the application makes of it is not what is answered

        async def guarded(message: Message) -> None:
            nonlocal begun
            if is_unfit():
                return
            if message["type"] == "http.response.start":
                begun = True
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in self._headers if each[0] not in given)]
            await send(message)

        try:
            await self._app(scope, counted, guarded)
        except _UnfitBodyError:
            pass
        except Exception as error:
            if begun or is_unfit() or interruption_behind(error) is not None:
                raise
            _log.error("%s %s: %s", scope["method"], type(error).__name__, _where(error))
            await self._on_fault(Request(scope), error)(scope, receive, guarded)
        if body.fault is not None and not begun:
            await self._answer(send, body.fault, {"connection": "close"})

    async def _answer(self, send: Send, told: dict[str, Any], headers: dict[str, str]) -> None:
        body = json.dumps(told).encode()
        more = {"content-type": PROBLEM_TYPE, "content-length": str(len(body)), **headers}
        pairs = [*self._headers, *((name.encode(), value.encode()) for name, value in more.items())]
        await send({"type": "http.response.start", "status": told["status"], "headers": pairs})
        await send({"type": "http.response.body", "body": body})


def _is_upload(scope: Scope) -> bool:
    """Tell whether a request may bring a file: to the interface, or from a form of a page."""
    is_file = scope["method"] == "PUT" and "/datasets/" in scope["path"]
    return is_file or (scope["method"] == "POST" and scope["path"] == "/open/upload")


def _host_of(header: str) -> str:
    """Return the name in a header ``Host``, without the port."""
    name, colon, port = header.lower().rpartition(":")
    return name if colon and port.isdigit() and not name.endswith(":") else header.lower()


def _where(error: BaseException) -> str:
    """Return where a fault happened, innermost first; the text of an error may hold a value of a record."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return " < ".join(f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in reversed(frames))
