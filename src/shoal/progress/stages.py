"""Stages of work, each within another, and who hears of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from .notebook_bars import notebook_listener

__all__ = ["Listener", "Stage", "enclosing", "hearing", "listening", "stage", "under_way"]


class Listener(Protocol):
    """Hears of stages; an interface draws them."""

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
        """Start a stage and return a token for it; ``parent`` is the token of the stage that it is a part of."""
        ...

    def advance(self, token: object, amount: int) -> None:
        """Add to the stage behind the token."""
        ...

    def end(self, token: object) -> None:
        """Finish the stage behind the token."""
        ...


class Stage:
    """One piece of work under way."""

    def __init__(self, listener: Listener | None, name: str = "", total: int | None = None) -> None:
        self._listener, self.name, self.total, self.done = listener, name, total, 0
        self.parent = enclosing() if listener is not None else None
        above = None if self.parent is None else self.parent.token
        self.token = None if listener is None else listener.begin(name, total, above)
        if self.parent is not None:
            self.parent.part_advanced(self)

    def advance(self, amount: int = 1) -> None:
        """Say that this much more of the total is done."""
        if self._listener is not None:
            self.done += amount
            self._listener.advance(self.token, amount)
            if self.parent is not None:
                self.parent.part_advanced(self)

    @property
    def is_heard(self) -> bool:
        """Whether somebody hears of it."""
        return self._listener is not None

    def part_advanced(self, part: "Stage") -> None:
        """Hear that a stage within this one has begun or is further than it was."""

    def end(self) -> None:
        """Say that the stage is over, however it ended."""
        if self._listener is not None:
            self._listener.end(self.token)


_listener: ContextVar[Listener | None] = ContextVar("shoal_progress")
_stage: ContextVar[Stage | None] = ContextVar("shoal_stage", default=None)


def enclosing() -> Stage | None:
    """Return the innermost stage under way; None outside of all, or where nobody hears of them."""
    return _stage.get()


@contextmanager
def stage(name: str, total: int | None = None) -> Iterator[Stage]:
    """Announce a stage of work of known or unknown size."""
    with under_way(Stage(hearing(), name, total)) as begun:
        yield begun


def hearing() -> Listener | None:
    """Return whoever hears of stages that begin here."""
    try:
        return _listener.get()
    except LookupError:  # nobody was asked to listen, and nobody was asked not to
        return notebook_listener()


@contextmanager
def under_way(begun: Stage) -> Iterator[Stage]:
    """Let stages that begin in this block be parts of one that has begun, and end it with the block."""
    before = _stage.set(begun if begun.is_heard else None)
    try:
        yield begun
    finally:
        _stage.reset(before)
        begun.end()


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Let a listener hear every stage inside this block; with None, nobody hears them, in a notebook either."""
    token, outer = _listener.set(listener), _stage.set(None)
    try:
        yield
    finally:
        _stage.reset(outer)
        _listener.reset(token)
