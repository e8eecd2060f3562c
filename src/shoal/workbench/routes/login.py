"""Coming in with a token, and leaving."""

from fastapi import APIRouter, Request, Response

from shoal.errors import ShoalError
from shoal.server.access import service_of
from shoal.server.access.identify import COOKIE
from shoal.server.problems import problem_of
from shoal.server.routes.sessions import open_session
from shoal.server.store import Role
from shoal.workbench.rendering import own_address, page, see_other
from shoal.workbench.visitors import Form, Visitor, everybody, for_roles

__all__ = ["router"]

router = APIRouter()


@router.get("/login", **everybody())
def login_page(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name in the address
    """Ask for a token."""
    return page(request, "login.html", next=own_address(next), problem=None)


@router.post("/login", **everybody())
async def login(request: Request) -> Response:
    """Open a session with a token, and go on to where somebody wanted to be."""
    form = Form(await request.form(max_files=0, max_fields=10))
    there = own_address(form.text("next", "/"))
    response = see_other(there)
    try:
        open_session(request, response, form.text("token"))
    except ShoalError as error:
        told = problem_of(error)
        return page(request, "login.html", status=told["status"], next=there, problem=told)
    return response


@router.post("/logout", **for_roles(*Role))
def logout(request: Request, who: Visitor) -> Response:
    """End the session."""
    if who.session is not None:
        with who.acting():
            service_of(request).users.end_session(who)
    response = see_other("/login")
    response.delete_cookie(COOKIE, path="/")
    return response
