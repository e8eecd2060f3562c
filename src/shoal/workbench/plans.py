"""The plan of a release as the file that it is."""

from shoal.plan import Plan

from .choices import Choices
from .same_elsewhere import Same, command

__all__ = ["plan_file", "same_by_plan"]


def plan_file(name: str, schema: str | None, chosen: Choices) -> str:
    """Return the plan of choices for data of a name, as ``shoal publish --plan`` reads it, or say what is wrong."""
    plan = Plan.of(data=name, schema=schema, out="release", ledger="ledger", **chosen.settings())
    plan.refuse_unreadable()
    return plan.to_toml()


def same_by_plan(*further: tuple[str, str]) -> Same:
    """Return how the plan is carried out elsewhere; then further commands, each with its call in Python."""
    lines = [command("shoal", "publish", plan="plan.toml"), *(line for line, _ in further)]
    head = ("import shoal", "from shoal.plan import Plan", "", 'shoal.publish(Plan.read("plan.toml"))')
    return Same("\n".join(lines), "\n".join([*head, *(call for _, call in further)]))
