"""Who looks at a page, for which roles a page is, and what was sent with a form.

A page is for some roles, as an operation is. A form that changes something carries the form token of the session, so
that a page of another site cannot send one in somebody's name.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile

from shoal.errors import WordingError
from shoal.server.access import SAFE, Forbidden, known, refuse_foreign
from shoal.server.store import Identity, Role

__all__ = ["Form", "Posted", "Visitor", "everybody", "for_roles", "roles_of"]

_MOST_FIELDS = 5000
"""A form has several fields a column, and tables may have hundreds of columns."""


class Form:
    """The fields of a form as they were sent."""

    def __init__(self, fields: FormData) -> None:
        self._fields = fields

    def text(self, name: str, default: str = "") -> str:
        """Return a field without the blanks around it; the default where it is not there or empty."""
        value = self._fields.get(name)
        return (value.strip() if isinstance(value, str) else "") or default

    def all(self, name: str) -> list[str]:
        """Return every value of a field that is not empty."""
        return [value.strip() for value in self._fields.getlist(name) if isinstance(value, str) and value.strip()]

    def starting(self, prefix: str) -> dict[str, str]:
        """Return the fields whose names begin so, by the rest of their names."""
        return {
            name.removeprefix(prefix): value.strip()
            for name, value in self._fields.multi_items()
            if name.startswith(prefix) and isinstance(value, str)
        }

    def file(self, name: str) -> UploadFile:
        """Return a file, or say that none was chosen."""
        value = self._fields.get(name)
        if not isinstance(value, UploadFile) or not value.filename:
            raise WordingError("No file was chosen.", "Choose one, and try again.")
        return value


async def _visitor(request: Request) -> AsyncIterator[Identity]:
    who = await to_thread.run_sync(known, request)
    request.state.who = who
    if request.method in SAFE:
        yield who
        return
    async with request.form(max_files=1, max_fields=_MOST_FIELDS) as fields:  # closes the files that came with it
        token = fields.get("form_token")
        refuse_foreign(request, who, token if isinstance(token, str) else "")
        request.state.form = Form(fields)
        yield who


def _posted(request: Request) -> Form:
    return request.state.form


Visitor = Annotated[Identity, Depends(_visitor)]
"""Who looks at a page, as a parameter; whoever is not known is sent to log in."""
Posted = Annotated[Form, Depends(_posted)]
"""What was sent with a form; the page must have a visitor, who is found out first."""


class _Allowed:
    """Lets visitors in some roles pass."""

    def __init__(self, roles: tuple[Role, ...]) -> None:
        self.roles = roles

    def __call__(self, who: Visitor) -> None:
        """Refuse everybody else."""
        if who.role not in self.roles:
            raise Forbidden(
                f"This page is not for a user with the role {who.role}.",
                f"It is for {' or '.join(self.roles)}: log out and log in with a token of such a user, or ask the "
                "owner of the service for one.",
            )


def for_roles(*roles: Role) -> dict[str, Any]:
    """Return the settings of a page that is for some roles."""
    return {"dependencies": [Depends(_Allowed(roles))], "include_in_schema": False}


def everybody() -> dict[str, Any]:
    """Return the settings of a page that everybody may see who reaches the service."""
    return {"openapi_extra": {"x-public": True}, "include_in_schema": False}


def roles_of(route: Any) -> tuple[Role, ...] | None:
    """Return for which roles a page is: none of them for a page for everybody, and None where nothing is said."""
    extra: Mapping[str, Any] = getattr(route, "openapi_extra", None) or {}
    if extra.get("x-public"):
        return ()
    found = (each.dependency for each in getattr(route, "dependencies", ()))
    return next((rule.roles for rule in found if isinstance(rule, _Allowed)), None)
