"""What waits at the desk: requests for an officer, and changes of policies for a second person."""

from fastapi import APIRouter, Request, Response

from shoal.errors import ShoalError, WordingError
from shoal.server.access import service_of
from shoal.server.fitted import fitted
from shoal.server.routes import desk_oversight as operations
from shoal.server.routes.desk_oversight import Decision, Refusal
from shoal.server.store import Identity, Role
from shoal.workbench.desk_elsewhere import at_the_desk
from shoal.workbench.desk_sections import READERS, sections_for
from shoal.workbench.policy_form import policy_in_words
from shoal.workbench.rendering import page, see_other
from shoal.workbench.tried import Tried
from shoal.workbench.visitors import Form, Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_HERE = "/desk/waiting"
_MOST = 50


@router.get(_HERE, **for_roles(*READERS))
def waiting(request: Request, who: Visitor) -> Response:
    """List what waits, and what was decided lately."""
    return _waiting(request, who)


@router.post(f"{_HERE}/approve", **for_roles(Role.OFFICER))
def approve(request: Request, who: Visitor, form: Posted) -> Response:
    """Approve a request; whoever has asked for it cannot."""
    try:
        operations.approve(request, who, _number(form), fitted(Decision, {"why": form.text("why")}))
    except ShoalError as error:
        return _waiting(request, who, Tried.in_vain(form, error, "request"))
    return see_other(_HERE)


@router.post(f"{_HERE}/refuse", **for_roles(Role.OFFICER))
def refuse(request: Request, who: Visitor, form: Posted) -> Response:
    """Refuse a request, with a reason that whoever asked is told."""
    try:
        operations.refuse(request, who, _number(form), fitted(Refusal, {"why": form.text("why")}))
    except ShoalError as error:
        return _waiting(request, who, Tried.in_vain(form, error, "request"))
    return see_other(_HERE)


@router.post(f"{_HERE}/confirm", **for_roles(Role.OWNER))
def confirm(request: Request, who: Visitor, form: Posted) -> Response:
    """Let a change of a policy hold that somebody else has proposed."""
    try:
        operations.confirm(request, who, _number(form))
    except ShoalError as error:
        return _waiting(request, who, Tried.in_vain(form, error, "policy"))
    return see_other(_HERE)


@router.post(f"{_HERE}/reject", **for_roles(Role.OWNER))
def reject(request: Request, who: Visitor, form: Posted) -> Response:
    """Let a change of a policy never hold."""
    try:
        operations.reject(request, who, _number(form), fitted(Decision, {"why": form.text("why")}))
    except ShoalError as error:
        return _waiting(request, who, Tried.in_vain(form, error, "policy"))
    return see_other(_HERE)


def _number(form: Form) -> int:
    text = form.text("number")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise WordingError("It is not said what was decided on.", "Use the buttons of this page.")
    return int(text)


def _waiting(request: Request, who: Identity, tried: Tried | None = None) -> Response:
    tried = tried or Tried.not_yet()
    asked, proposed = operations.approvals(request, who), operations.proposals(request)
    return page(
        request,
        "desk_waiting.html",
        status=tried.status,
        sections=sections_for(who),
        tried=tried,
        asked=[each for each in asked if each.state == "waiting"],
        decided=[each for each in asked if each.state != "waiting"][::-1][:_MOST],
        proposed=[(each, _news(each)) for each in proposed if each.state == "open"],
        settled=[each for each in proposed if each.state != "open"][::-1][:_MOST],
        elsewhere=at_the_desk(
            service_of(request),
            who,
            "approvals",
            call='book("approvals")',
            asked=("desk/approvals", 'desk("approvals")'),
        ),
    )


def _news(proposal: operations.ProposalInfo) -> tuple[list[str], list[str]]:
    """Return the sentences of a policy that would hold no more, and those that would be new."""
    before, after = policy_in_words(proposal.policy_before), policy_in_words(proposal.policy)
    return [each for each in before if each not in after], [each for each in after if each not in before]
