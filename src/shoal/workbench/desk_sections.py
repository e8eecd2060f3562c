"""The sections of the desk, and for whom each is: as the operations of the service that they show."""

from dataclasses import dataclass

from shoal.server.store import Identity, Role

__all__ = ["ASKERS", "BOOKKEEPERS", "READERS", "RUNNERS", "DeskSection", "sections_for"]

READERS = (Role.OWNER, Role.OFFICER, Role.AUDITOR)
"""Who reads what the desk knows."""
RUNNERS = (Role.OWNER, Role.OFFICER)
"""Who runs the desk."""
ASKERS = (Role.OWNER, Role.OFFICER, Role.REQUESTER)
"""Who asks the desk for views."""
BOOKKEEPERS = (Role.OWNER, Role.AUDITOR)
"""Who reads the log."""


@dataclass(frozen=True)
class DeskSection:
    """A part of the desk."""

    address: str
    title: str
    roles: tuple[Role, ...]


_SECTIONS = (
    DeskSection("/desk", "Overview", tuple(Role)),
    DeskSection("/desk/datasets", "Data sets", READERS),
    DeskSection("/desk/purposes", "Purposes", tuple(Role)),
    DeskSection("/desk/requesters", "Requesters", READERS),
    DeskSection("/desk/requests", "Requests", ASKERS),
    DeskSection("/desk/waiting", "Waiting", READERS),
    DeskSection("/desk/releases", "Releases", tuple(Role)),
    DeskSection("/desk/books", "Books", BOOKKEEPERS),
    DeskSection("/desk/log", "Log", BOOKKEEPERS),
    DeskSection("/desk/audit", "Audit", READERS),
    DeskSection("/desk/users", "Users", (Role.OWNER,)),
)


def sections_for(who: Identity) -> tuple[DeskSection, ...]:
    """Return the sections that somebody may see."""
    return tuple(each for each in _SECTIONS if who.role in each.roles)
