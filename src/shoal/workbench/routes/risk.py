"""Risk as it stands: who is unique, and what attackers would find in the raw data."""

from fastapi import APIRouter, Request, Response

from shoal.display import Picture
from shoal.pages.charts import columns_chart
from shoal.server.access import service_of
from shoal.server.routes.models import DatasetId
from shoal.server.store import Role
from shoal.server.work.asks import AttackAsk
from shoal.workbench.choices import Chosen
from shoal.workbench.computed import computed, started
from shoal.workbench.described import Described, described
from shoal.workbench.findings import attackers, attackers_picture, not_run
from shoal.workbench.rendering import page, see_other
from shoal.workbench.same_elsewhere import Same, command, python_call
from shoal.workbench.steps import steps
from shoal.workbench.visitors import Visitor, for_roles

__all__ = ["router"]

router = APIRouter()


@router.get("/data/{dataset}/risk", **for_roles(Role.OWNER))
def risk(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Show how many people are unique, and what attackers find if they were asked for."""
    service = service_of(request)
    data = described(service, who, dataset)
    work = computed(service, who, AttackAsk(kind="attack", dataset=dataset))
    found = attackers(work, None)
    return page(
        request,
        "risk.html",
        data=data,
        chosen=chosen,
        work=work,
        found=found,
        picture=attackers_picture(found) if found else None,
        not_run=not_run(work),
        unique_picture=_unique_picture(data) if data.is_known else None,
        same=_same(data),
        steps=steps("risk", dataset, query=chosen.query, ready=data.has_schema),
    )


@router.post("/data/{dataset}/risk", **for_roles(Role.OWNER))
def compute(request: Request, who: Visitor, dataset: DatasetId, chosen: Chosen) -> Response:
    """Let attackers try."""
    started(service_of(request), who, AttackAsk(kind="attack", dataset=dataset))
    return see_other(f"/data/{dataset}/risk{chosen.query}#attackers")


def _unique_picture(data: Described) -> Picture:
    unique = data.about["unique_records"]
    counts = [("records", (unique, data.records - unique))]
    about = f"{unique:,} records are like no other, {data.records - unique:,} are like at least one other."
    chart = columns_chart(["like no other", "like at least one other"], counts, share=False, about=about)
    return Picture("Records that are like no other", "", chart)


def _same(data: Described) -> Same:
    name, schema = data.row.name, data.schema_file
    lines = [command("shoal", "describe", name, schema=schema), command("shoal", "attack", name, schema=schema)]
    calls = [python_call("describe", name, schema=schema), python_call("attack", name, schema=schema)]
    return Same("\n".join(lines), "\n".join(["import shoal", "", *calls]))
