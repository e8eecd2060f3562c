"""The plan of a release as the file that it is, alone or with everything that it names but the data."""

import tomllib
from pathlib import Path

from fastapi import Response

from shoal.plan import Plan
from shoal.server.service import Service
from shoal.server.store import DatasetRow

from .choices import Choices
from .downloads import archive, named_hierarchies
from .same_elsewhere import Same, command

__all__ = ["plan_archive", "plan_file", "same_by_plan"]


def plan_file(name: str, schema: str | None, chosen: Choices) -> str:
    """Return the plan of choices for data of a name, as ``shoal publish --plan`` reads it, or say what is wrong."""
    plan = Plan.of(data=name, schema=schema, out="release", ledger="ledger", **chosen.settings())
    plan.refuse_unreadable()
    return plan.to_toml()


def plan_archive(service: Service, row: DatasetRow, chosen: Choices) -> Response:
    """Return a plan with the schema and the hierarchies that it rests on; with the data beside them it can be run."""
    schema = service.schema_text(row)
    files: dict[str, str | Path] = {"plan.toml": plan_file(row.name, None if schema is None else "schema.toml", chosen)}
    if schema is not None:
        folder = service.dataset_folder(row.id)
        named = sorted(set(named_hierarchies(tomllib.loads(schema))))
        files |= {"schema.toml": schema, **{each: folder / each for each in named if (folder / each).is_file()}}
    return archive(f"{Path(row.name).stem}-plan.zip", files)


def same_by_plan(*further: tuple[str, str]) -> Same:
    """Return how the plan is carried out elsewhere; then further commands, each with its call in Python."""
    lines = [command("shoal", "publish", plan="plan.toml"), *(line for line, _ in further)]
    head = ("import shoal", "from shoal.plan import Plan", "", 'shoal.publish(Plan.read("plan.toml"))')
    return Same("\n".join(lines), "\n".join([*head, *(call for _, call in further)]))
