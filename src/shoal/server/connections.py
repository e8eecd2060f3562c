"""Connections of clients: none is kept for somebody who does not say what it wants.

uvicorn closes a connection that is silent after an answer. One that never sends a request, or sends it a letter at a
time, it would keep for ever.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .settings import Limits

__all__ = ["protocol_with"]


def protocol_with(limits: Limits) -> type[asyncio.Protocol]:
    """Return how connections are kept: no more at a time than allowed, and none for long without a request."""

    class Protocol(H11Protocol):
        """A connection on which the head of each request comes within its time."""

        _head_due: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Wait for the first request, unless there are too many connections."""
            super().connection_made(transport)
            if len(self.connections) > limits.connections:
                transport.abort()
            else:
                self._wait_for_head()

        def connection_lost(self, exc: Exception | None) -> None:
            """Wait no more."""
            self._stop_waiting()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            """Take what came; the time for a head begins with its first byte, and ends when it is whole.

            The rest of a body that was answered before it was whole has as long to come, and is not looked at.
            """
            super().data_received(data)
            is_answered = self.cycle is not None and self.cycle.response_complete
            if self.conn.their_state is h11.IDLE or is_answered:
                self._wait_for_head()
            else:
                self._stop_waiting()

        def _wait_for_head(self) -> None:
            if self._head_due is None and not self.transport.is_closing():
                self._head_due = self.loop.call_later(limits.header_seconds, self.transport.close)

        def _stop_waiting(self) -> None:
            if self._head_due is not None:
                self._head_due.cancel()
                self._head_due = None

    return Protocol
