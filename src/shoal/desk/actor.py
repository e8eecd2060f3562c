"""Who does what is written into the log: the user of the system, or somebody whom a service has recognized."""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["THE_DESK", "acting_as", "actor"]

THE_DESK = "the desk"
"""Who does what happens by itself: something expires, or a command that was interrupted is settled."""

_actor: ContextVar[str | None] = ContextVar("shoal_actor", default=None)


def actor() -> str:
    """Return in whose name something is done now."""
    return _actor.get() or f"system {_system_user()}"


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    """Let what is done in this block be done in a name."""
    before = _actor.set(name)
    try:
        yield
    finally:
        _actor.reset(before)


def _system_user() -> str:
    """Return the name of the account; variables such as LOGNAME, which anybody can set, are not asked."""
    number = os.getuid()
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # a container may have no name for its user
        return f"number {number}"
