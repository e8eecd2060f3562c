"""Plans: everything that a release needs, in one file."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from shoal.plan import Plan
from shoal.server.access import rule
from shoal.server.store import Role
from shoal.server.work.asks import PublishAsk

__all__ = ["router"]

router = APIRouter(tags=["plans"])


class PlanInfo(BaseModel):
    """A plan that can be carried out, as far as that can be told without the data."""

    settings: dict[str, Any]
    toml: str = Field(description="The plan as a file for shoal publish --plan.")


@router.post("/plans/validate", **rule(Role.OWNER))
def validate(ask: PublishAsk) -> PlanInfo:
    """Check the settings of a release: promises, method, shares. The data are not looked at."""
    plan = Plan.of(data="data", out="release", ledger="ledger", **ask.settings())
    plan.refuse_unreadable()
    settings = plan.model_dump(exclude_none=True, exclude={"data", "out", "ledger"}, by_alias=True)
    return PlanInfo(settings=settings, toml=plan.to_toml())
