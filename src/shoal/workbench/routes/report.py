"""Report and download: the owner's report to read or keep, and the files of the release."""

import base64
import hashlib
import re
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from shoal.server.access import service_of
from shoal.server.problems import NotFound
from shoal.server.routes.models import ReleaseId
from shoal.server.routes.releases import files_in, remove_release
from shoal.server.service import Service
from shoal.server.store import Identity, Role
from shoal.server.work.asks import ReportAsk
from shoal.workbench.computed import Computed, computed, started
from shoal.workbench.downloads import attachment, release_archive
from shoal.workbench.plans import plan_archive, plan_file, same_by_plan
from shoal.workbench.released import Released, released, releases_of
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import command, python_call
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()

_NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_ABOUT = {
    "certificate.json": "states the promises, and ties the files together; anybody verifies the release by it",
    "schema.toml": "says what the columns are",
}


@router.get("/releases/{release}/report", **for_roles(Role.OWNER))
def report(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Show what there is to take along."""
    service = service_of(request)
    made = released(service, who, release)
    folder = service.release_folder(release) / "release"
    files = [
        (name, (folder / name).stat().st_size, _ABOUT.get(name, "the published data"))
        for name in _files(service, release)
    ]
    return page(
        request,
        "report.html",
        made=made,
        work=_work(service, who, release),
        files=files,
        has_changed=_has_changed(service, made),
        others=[each for each in releases_of(service, who, 20) if each.row.id != release],
        steps=made.steps("report"),
        same=same_by_plan(
            (
                command("shoal", "report", "release", ledger="ledger", out="report.html"),
                python_call("report", "release", "ledger", "report.html"),
            )
        ),
    )


@router.post("/releases/{release}/report", **for_roles(Role.OWNER))
def write(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Have the report written."""
    started(service_of(request), who, ReportAsk(kind="report", release=release))
    return see_other(f"/releases/{release}/report#report")


@router.get("/releases/{release}/report/page", **for_roles(Role.OWNER))
def report_page(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Show the report itself: a page of its own, which may use its one style sheet and nothing else."""
    service = service_of(request)
    work = _work(service, who, released(service, who, release).row.id)
    if not work.is_done or work.job is None:
        raise NotFound("The report has not been written yet.", "Have it written first.")
    text = (service.supervisor.folder_of(work.job.id).path / "report.html").read_text(encoding="utf-8")
    policy = f"default-src 'none'; style-src {_hashes(text)}; img-src data:; {_NOTHING_ELSE}"
    return HTMLResponse(text, headers={"content-security-policy": policy})


@router.get("/releases/{release}/plan.toml", **for_roles(Role.OWNER))
def plan(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Return the plan that the release was made by."""
    made = released(service_of(request), who, release)
    name = "data.csv" if made.dataset is None else made.dataset.name
    text = plan_file(name, "schema.toml", made.chosen)
    return Response(text, media_type="application/toml", headers=attachment("plan.toml"))


@router.get("/releases/{release}/plan.zip", **for_roles(Role.OWNER))
def plan_with_all(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Return the plan with the schema and the hierarchies, as the data set has them now."""
    service = service_of(request)
    made = released(service, who, release)
    if made.dataset is None:
        raise NotFound("The data set of this release was removed.", "Download plan.toml alone.")
    return plan_archive(service, made.dataset, made.chosen)


@router.get("/releases/{release}/release.zip", **for_roles(Role.OWNER))
def whole_release(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Return all files of the release in one."""
    service = service_of(request)
    made = released(service, who, release)
    stem = "release" if made.dataset is None else f"{Path(made.dataset.name).stem}-release"
    return release_archive(service.release_folder(made.row.id) / "release", stem)


@router.get("/releases/{release}/delete", **for_roles(Role.OWNER))
def ask_to_delete(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Ask whether a release is to be removed, and say what that means."""
    return page(request, "delete_release.html", made=released(service_of(request), who, release))


@router.post("/releases/{release}/delete", **for_roles(Role.OWNER))
def delete(request: Request, who: Visitor, release: ReleaseId) -> Response:
    """Remove a release and its ledger."""
    remove_release(request, who, release)
    return see_other("/")


def _has_changed(service: Service, made: Released) -> bool:
    """Decide whether the content or the schema of the data set is newer than the release."""
    look = None if made.dataset is None or made.dataset.overview_job is None else made.dataset.overview_job
    newest = None if look is None else service.jobs.get(look)
    return newest is not None and made.job is not None and newest.number > made.job.number


def _work(service: Service, who: Identity, release: str) -> Computed:
    return computed(service, who, ReportAsk(kind="report", release=release))


def _files(service: Service, release: str) -> list[str]:
    return sorted(files_in(service.release_folder(release) / "release"))


def _hashes(page_text: str) -> str:
    """Return the style sheets that stand in a page by their hashes, as a content security policy names them."""
    sheets = re.findall(r"<style>(.*?)</style>", page_text, re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in sheets)
    return " ".join(f"'sha256-{each}'" for each in digests) or "'none'"
