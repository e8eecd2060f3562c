"""What a page of the desk does, as a command and as a call: of its store for its owner, of the service for others."""

from collections.abc import Sequence

from shoal.server.service import Service
from shoal.server.store import Identity, Role

from .same_elsewhere import Same, command, from_service

__all__ = ["at_the_desk", "store_of"]


def at_the_desk(
    service: Service,
    who: Identity,
    *words: str,
    call: str,
    asked: tuple[str, str],
    imports: str = "Desk",
    **options: str | Sequence[str] | bool | None,
) -> Same:
    """Return the command ``shoal desk …`` with its words and options, and the call of a method of the desk.

    Whoever does not own the desk has no store to name: then it is ``asked`` of the service, a resource and the call.
    """
    if who.role is not Role.OWNER:
        return from_service(asked)
    store = store_of(service)
    lines = f"from shoal.desk import {imports}\n\nDesk({store!r}).{call}"
    return Same(command("shoal", "desk", *words, **options, desk=store), lines)


def store_of(service: Service) -> str:
    """Return the store as its owner can name it; where it holds a password, a word in its place."""
    store = service.settings.store
    return store if "://" not in store else "STORE"
