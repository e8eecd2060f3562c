"""Why a table can be published from memory alone, with what to do about it."""

from collections.abc import Iterator
from itertools import chain

from shoal.anonymizers import methods
from shoal.data import Role
from shoal.errors import WordingError
from shoal.evidence import NeedGroups
from shoal.io.schemas import TableSchema
from shoal.partitioned.methods import OF_PEOPLE, needs_memory, needs_memory_of_people
from shoal.plan import Plan

__all__ = ["has_strata", "obstacle_to_publishing"]

_LOCAL = "read the table into memory (--engine local)"


def obstacle_to_publishing(plan: Plan, schema: TableSchema) -> WordingError | None:
    """Return the first reason for which a plan cannot be followed where the records are; None where it can."""
    return next(chain(_in_plan(plan), _in_schema(plan, schema)), None)


def _in_plan(plan: Plan) -> Iterator[WordingError]:
    if plan.seed is not None or plan.secret is not None:
        yield WordingError(
            "A seed or a secret repeats what is drawn for rows in their order, and rows on disk are drawn for in any.",
            f"Leave out --seed and --secret, or {_LOCAL}.",
        )
    if plan.format not in (None, "parquet"):
        yield WordingError(
            f"Records on disk are published in parts, as Parquet, not as {plan.format}.",
            f"Leave out --format, or {_LOCAL}.",
        )
    if plan.expand:
        yield WordingError("Only ratings are expanded, and these data are a table.", "Leave out --expand.")
    if plan.duplicates != "refuse":
        yield WordingError(
            "Only files with one rating a line can have duplicates, and this is a table.", "Leave out --duplicates."
        )
    if plan.method is not None:
        refusal = needs_memory(methods.read(plan.method), withholding=plan.share_withheld > 0)
        if refusal is not None:
            yield refusal
    for model in plan.promises:
        if not isinstance(model.need, NeedGroups):
            yield WordingError(
                f"The promise {model.name!r} is not judged on groups, and of records not in memory only groups are.",
                f"Promise something else, or {_LOCAL}.",
            )


def _in_schema(plan: Plan, schema: TableSchema) -> Iterator[WordingError]:
    if schema.weight_classes is not None:
        yield WordingError(
            "Classes of weights are made of records in memory.", f"Leave out weight_classes, or {_LOCAL}."
        )
    if plan.method is None:
        return
    method = methods.read(plan.method)
    if has_strata(schema) and method.name not in OF_PEOPLE:
        yield WordingError(
            f"Strata are each generalized by itself, which the method {method.name!r} does in memory.",
            f"Choose {' or '.join(OF_PEOPLE)}, or {_LOCAL}.",
        )
    # whether somebody has several records is known when they are read
    refusal = needs_memory_of_people(method) if schema.person else None
    if refusal is not None:
        yield refusal


def has_strata(schema: TableSchema) -> bool:
    """Decide whether a table has strata."""
    return any(column.role is Role.STRATUM for column in schema.columns.values())
