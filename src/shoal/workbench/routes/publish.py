"""Publish: the plan as the file that it is, and the job that carries it out."""

from fastapi import APIRouter, Request, Response

from shoal.errors import WordingError
from shoal.server.access import service_of
from shoal.server.problems import problem_of
from shoal.server.routes.models import DatasetId
from shoal.server.service import Service
from shoal.server.store import Identity, Role
from shoal.workbench.choices import Choices, Chosen
from shoal.workbench.computed import Computed, computed, started
from shoal.workbench.described import Described, described
from shoal.workbench.downloads import attachment
from shoal.workbench.plans import plan_archive, plan_file, same_by_plan
from shoal.workbench.rendering import page, see_other
from shoal.workbench.steps import steps
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()


@router.get("/data/{dataset}/publish", **for_roles(Role.OWNER))
def publish(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen, then: str = "") -> Response:
    """Show the plan, and what became of it; whoever has just published goes on to the proof once there is one."""
    service = service_of(request)
    data = described(service, who, dataset)
    if not data.is_known:
        return _shown(request, data, chosen)
    try:
        ask = chosen.ask(dataset)
    except WordingError as error:
        return _shown(request, data, chosen, status=400, problem=problem_of(error))
    work = computed(service, who, ask)
    release = _release_of(service, who, work)
    if release is not None and then == "proof":
        return see_other(f"/releases/{release}/proof")
    plan = plan_file(data.row.name, data.schema_file, chosen)
    return _shown(request, data, chosen, work=work, release=release, plan=plan)


@router.post("/data/{dataset}/publish", **for_roles(Role.OWNER))
def start(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Start the job, unless it is under way or was done on the same data."""
    service = service_of(request)
    ask = chosen.ask(dataset)
    work = started(service, who, ask)
    if work.is_done and _release_of(service, who, work) is None:
        service.submit(ask, who)  # the release was removed since
    joint = "&" if chosen.query else "?"
    return see_other(f"/data/{dataset}/publish{chosen.query}{joint}then=proof")


@router.get("/data/{dataset}/plan.toml", **for_roles(Role.OWNER))
def plan(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Return the plan as a file."""
    data = described(service_of(request), who, dataset)
    text = plan_file(data.row.name, data.schema_file, chosen)
    return Response(text, media_type="application/toml", headers=attachment("plan.toml"))


@router.get("/data/{dataset}/plan.zip", **for_roles(Role.OWNER))
def plan_with_all(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Return the plan with the schema and the hierarchies."""
    service = service_of(request)
    return plan_archive(service, service.dataset(dataset, who), chosen)


def _release_of(service: Service, who: Identity, work: Computed) -> str | None:
    """Return the release that a job has made, if it is still there."""
    if not work.is_done or work.job is None:
        return None
    row = service.releases.get(work.job.id)
    return row.id if row is not None and row.user == who.name else None


def _shown(request: Request, data: Described, chosen: Choices, status: int = 200, **more: object) -> Response:
    usual: dict[str, object] = {"work": None, "release": None, "plan": "", "problem": None}
    return page(
        request,
        "publish.html",
        status=status,
        data=data,
        chosen=chosen,
        same=same_by_plan(),
        steps=steps("publish", data.row.id, query=chosen.query, ready=data.has_schema),
        **{**usual, **more},
    )
