"""Users and their tokens. What is done here is done by the operations of the service."""

from fastapi import APIRouter, Request, Response

from shoal.errors import ShoalError, WordingError
from shoal.server.fitted import fitted
from shoal.server.routes import users as operations
from shoal.server.routes.desk import requesters
from shoal.server.routes.users import NewToken, NewUser, ShownToken
from shoal.server.store import Identity, Role
from shoal.workbench.desk_sections import sections_for
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, from_service
from shoal.workbench.tried import Tried
from shoal.workbench.visitors import Form, Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_HERE = "/desk/users"
_SAME = Same(
    command("shoal", "users", "add", "ines", role="officer"),
    from_service(("users", 'add_user("ines", "officer")'), ("tokens", 'add_token("ines")["token"]')).python,
)


@router.get(_HERE, **for_roles(Role.OWNER))
def users_page(request: Request, who: Visitor) -> Response:
    """List users and their tokens."""
    return _show(request, who)


@router.post(_HERE, **for_roles(Role.OWNER))
def add(request: Request, who: Visitor, form: Posted) -> Response:
    """Let a user in, with a token, which is shown this once."""
    try:
        asked = {"name": form.text("name"), "role": form.text("role"), "requester": form.text("requester") or None}
        new, days = fitted(NewUser, asked), _days(form)
        fitted(NewToken, {"user": new.name, "days": days})  # nobody is let in by halves
        made = operations.add_user(request, who, new)
        shown = operations.add_token(request, who, fitted(NewToken, {"user": made.name, "days": days}))
    except ShoalError as error:
        return _show(request, who, Tried.in_vain(form, error, "add"))
    return _show(request, who, shown=shown)


@router.post(f"{_HERE}/close", **for_roles(Role.OWNER))
def close(request: Request, who: Visitor, form: Posted) -> Response:
    """Let a user in no more."""
    try:
        operations.close_user(request, who, form.text("name"))
    except ShoalError as error:
        return _show(request, who, Tried.in_vain(form, error, "users"))
    return see_other(_HERE)


@router.post("/desk/tokens", **for_roles(Role.OWNER))
def add_token(request: Request, who: Visitor, form: Posted) -> Response:
    """Make another token for a user."""
    try:
        asked = {"user": form.text("user"), "days": _days(form)}
        shown = operations.add_token(request, who, fitted(NewToken, asked))
    except ShoalError as error:
        return _show(request, who, Tried.in_vain(form, error, "token"))
    return _show(request, who, shown=shown)


@router.post("/desk/tokens/rotate", **for_roles(Role.OWNER))
def rotate(request: Request, who: Visitor, form: Posted) -> Response:
    """Put a new token into the place of another."""
    try:
        _refuse_own(who, form)
        shown = operations.rotate_token(request, who, form.text("token"))
    except ShoalError as error:
        return _show(request, who, Tried.in_vain(form, error, "tokens"))
    return _show(request, who, shown=shown)


@router.post("/desk/tokens/revoke", **for_roles(Role.OWNER))
def revoke(request: Request, who: Visitor, form: Posted) -> Response:
    """Make a token good for nothing."""
    try:
        _refuse_own(who, form)
        operations.revoke_token(request, who, form.text("token"))
    except ShoalError as error:
        return _show(request, who, Tried.in_vain(form, error, "tokens"))
    return see_other(_HERE)


def _refuse_own(who: Identity, form: Form) -> None:
    """Refuse to end the session that this page is shown in: whoever did that by accident could not come back."""
    if form.text("token") == who.token:
        raise WordingError(
            "You are logged in with this token, and would shut yourself out.", "Log in with another token first."
        )


def _days(form: Form) -> int | str:
    """Return a number where one was entered; whatever else it is does not fit."""
    text = form.text("days", "90")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else text


def _show(request: Request, who: Identity, tried: Tried | None = None, shown: ShownToken | None = None) -> Response:
    tried = tried or Tried.not_yet()
    users, tokens = operations.users(request), operations.tokens(request)
    good = [each for each in tokens if each.revoked is None]
    return page(
        request,
        "users.html",
        status=tried.status,
        sections=sections_for(who),
        tried=tried,
        users=users,
        open_users=[(each.name, each.name) for each in users if each.closed is None],
        tokens=good,
        revoked=len(tokens) - len(good),
        requesters=[each.name for each in requesters(request)],
        shown=shown,
        roles=[(str(role), str(role)) for role in Role],
        elsewhere=_SAME,
    )
