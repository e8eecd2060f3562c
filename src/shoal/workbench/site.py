"""The pages put together: routes, the files they need, and the page that tells a problem."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from shoal.errors import ShoalError
from shoal.server.access import known
from shoal.server.problems import problem

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
        if request.url.path == "/enter":  # with an address whose token is no longer good
            return page(request, "login.html", status=told["status"], next="/", problem=told)
        if told["status"] == 401 and request.method == "GET":
            there = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return see_other(f"/login?next={quote(there, safe='')}")
        if not hasattr(request.state, "who"):
            with suppress(ShoalError):
                request.state.who = known(request)  # so that the page has its navigation
        told = _for_people(told)
        return page(request, "problem.html", status=told["status"], problem=told)


def _for_people(told: dict[str, Any]) -> dict[str, Any]:
    """Return a problem of an address as people can act on it; what was typed into forms is told by their pages."""
    places = [each["place"] for each in told.get("faults", ())]
    if (told["status"] == 404 and told["type"] == "about:blank") or any(each.startswith("path.") for each in places):
        return problem(404, "There is no such page.", "Check the address, or follow a link from the first page.")
    if told["status"] == 422 and places:
        names = ", ".join(sorted({each.partition(".")[2] for each in places}))
        title = f"The address asks for something that cannot be: {names}."
        return problem(422, title, "Follow a link of a page instead of writing the address by hand.")
    return told
