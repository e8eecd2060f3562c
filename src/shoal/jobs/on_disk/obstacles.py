"""Why a table can be published from memory alone, with what to do about it."""

from collections.abc import Iterator
from itertools import chain

from shoal.anonymizers import methods
from shoal.errors import WordingError
from shoal.evidence import NeedGroups
from shoal.io.schemas import TableSchema
from shoal.partitioned.methods import needs_memory
from shoal.plan import Plan

__all__ = ["obstacle_to_publishing"]

_LOCAL = "read the table into memory (--engine local)"


def obstacle_to_publishing(plan: Plan, schema: TableSchema) -> WordingError | None:
    """Return the first reason for which a plan cannot be followed where the records are; None where it can."""
    return next(chain(_in_plan(plan), _in_schema(schema)), None)


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


def _in_schema(schema: TableSchema) -> Iterator[WordingError]:
    if schema.weight_classes is not None:
        yield WordingError(
            "Classes of weights are made of records in memory.", f"Leave out weight_classes, or {_LOCAL}."
        )
