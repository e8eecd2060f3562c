"""What a page of the desk does, as a command and as a call of its store."""

from collections.abc import Sequence

from shoal.server.service import Service
from shoal.server.store import Identity, Role

from .same_elsewhere import Same, command

__all__ = ["at_the_desk"]


def at_the_desk(
    service: Service, who: Identity, *words: str, call: str, **options: str | Sequence[str] | bool | None
) -> Same:
    """Return the command ``shoal desk …`` with its words and options, and the call of a method of the desk."""
    store = _store(service, who)
    lines = f"from shoal.desk import Desk\n\nDesk({store!r}).{call}"
    return Same(command("shoal", "desk", *words, **options, desk=store), lines)


def _store(service: Service, who: Identity) -> str:
    """Return the store as its owner can name it; for others, and where it holds a password, a word in its place."""
    store = service.settings.store
    return store if who.role is Role.OWNER and "://" not in store else "STORE"
