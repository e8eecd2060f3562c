"""Stages of work, and who hears of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from .notebook_bars import notebook_listener

__all__ = ["Listener", "Stage", "listening", "stage"]


class Listener(Protocol):
    """Hears of stages; an interface draws them."""

    def begin(self, name: str, total: int | None) -> object:
        """Start a stage and return a token for it."""
        ...

    def advance(self, token: object, amount: int) -> None:
        """Add to the stage behind the token."""
        ...

    def end(self, token: object) -> None:
        """Finish the stage behind the token."""
        ...


_listener: ContextVar[Listener | None] = ContextVar("shoal_progress")


class Stage:
    """One piece of work under way."""

    def __init__(self, listener: Listener | None, token: object) -> None:
        self._listener = listener
        self._token = token

    def advance(self, amount: int = 1) -> None:
        """Say that this much more of the total is done."""
        if self._listener is not None:
            self._listener.advance(self._token, amount)


@contextmanager
def stage(name: str, total: int | None = None) -> Iterator[Stage]:
    """Announce a stage of work of known or unknown size."""
    try:
        listener = _listener.get()
    except LookupError:  # nobody was asked to listen, and nobody was asked not to
        listener = notebook_listener()
    if listener is None:
        yield Stage(None, None)
        return
    token = listener.begin(name, total)
    try:
        yield Stage(listener, token)
    finally:
        listener.end(token)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Let a listener hear every stage inside this block; with None, nobody hears them, in a notebook either."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
