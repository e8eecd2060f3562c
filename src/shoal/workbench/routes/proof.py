"""Proof: what a release keeps, how large its groups are, what it cost, and how anybody can check it."""

import re
from typing import Any

from fastapi import APIRouter, Request, Response

from shoal.server.access import service_of
from shoal.server.routes.models import ReleaseId
from shoal.server.store import Role
from shoal.server.work.asks import VerifyAsk
from shoal.wording.format import format_level, format_share
from shoal.workbench.computed import computed, of_job, started
from shoal.workbench.plans import same_by_plan
from shoal.workbench.released import Released, released
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import command, python_call
from shoal.workbench.visitors import Posted, Visitor, for_roles

__all__ = ["router"]

router = APIRouter()


@router.get("/releases/{release}/proof", **for_roles(Role.OWNER))
def proof(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Show the verdicts, the groups, what was lost, and the certificate."""
    service = service_of(request)
    made = released(service, who, release)
    work = None if made.job is None else of_job(service, made.job)
    return page(
        request,
        "proof.html",
        made=made,
        work=work,
        verdicts=[{**each, "reached": format_level(each["level"])} for each in made.certificate["promises"]],
        notes=() if made.result is None else [_without_option(each) for each in made.result.get("notes", ())],
        costs=() if made.result is None else _costs(made.result),
        by_anybody=computed(service, who, _ask(made, ledger=False)),
        by_owner=computed(service, who, _ask(made, ledger=True)),
        steps=made.steps("proof"),
        same=same_by_plan(
            (command("shoal", "verify", "release"), python_call("verify", "release")),
            (
                command("shoal", "verify", "release", ledger="ledger"),
                python_call("verify", "release", ledger="ledger"),
            ),
        ),
    )


@router.post("/releases/{release}/proof", **for_roles(Role.OWNER))
def verify(request: Request, who: Visitor, release: ReleaseId, form: Posted) -> Response:
    """Have the release verified: as anybody could, or with the ledger."""
    service = service_of(request)
    started(service, who, _ask(released(service, who, release), ledger=form.text("do") == "with-ledger"))
    return see_other(f"/releases/{release}/proof#verify")


def _ask(made: Released, *, ledger: bool) -> VerifyAsk:
    return VerifyAsk(kind="verify", release=made.row.id, ledger=ledger)


def _without_option(note: str) -> str:
    """Return a note without the option that a command would have: a page has a list to choose from."""
    return re.sub(r"; --method names another[^.]*\.?$", ".", note)


def _costs(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was lost, in shares and in people."""
    withheld = result["records_in"] - result["records_out"]
    of_all = f"{withheld:,} of {result['records_in']:,}"
    found = [
        ("records published", f"{result['records_out']:,} of {result['records_in']:,}"),
        ("records withheld", f"{of_all} ({format_share(withheld / max(result['records_in'], 1))})"),
        ("values published exactly as they were", format_share(result["cells_kept"])),
        ("lost, as a share of all there was to tell", format_share(result["loss"])),
    ]
    if result["ratings_kept"] is not None:
        found.insert(2, ("ratings that are still there, changed or not", format_share(result["ratings_kept"])))
    if result.get("demographics_loss") is not None:
        found.append(("lost of the demographics", format_share(result["demographics_loss"])))
    found.append(("records unchanged and like nobody else", format_share(result["original_and_unique"])))
    return found
