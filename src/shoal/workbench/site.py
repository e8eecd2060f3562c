"""The pages put together: routes, the files they need, and the page that tells a problem."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from .rendering import page, see_other
from .routes import ROUTERS

__all__ = ["Workbench"]


class Workbench:
    """The pages of a service, as :class:`shoal.server.app.Pages` has them."""

    @property
    def routers(self) -> Sequence[APIRouter]:
        """What answers with pages."""
        return ROUTERS

    def on_problem(self, request: Request, told: dict[str, Any]) -> Response:
        """Return the page that tells a problem and its cure; whoever is not known is asked to log in."""
        if told["status"] == 401 and request.method == "GET":
            there = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            if request.url.path == "/enter":  # it would lead back here, and keep the token in the address
                return see_other("/login")
            return see_other(f"/login?next={quote(there, safe='')}")
        return page(request, "problem.html", status=told["status"], problem=told)
