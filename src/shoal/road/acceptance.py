"""What an owner may accept against an objection: columns that the audit names, vacuous promises, empty releases."""

from collections.abc import Collection, Sequence
from typing import cast

import numpy as np

from shoal.column_audit import audit_columns, audit_survey, refuse_unaccepted
from shoal.data import Microdata, Part, Records, Role, Survey, part_of
from shoal.engines import Judgment
from shoal.errors import NothingLeft, VacuousPromise, WordingError
from shoal.evidence import Grouping
from shoal.models import Caveat, PrivacyModel, promised_k
from shoal.progress import stage

__all__ = ["EMPTY", "VACUOUS", "audited", "refuse_empty", "refuse_unknown", "refuse_vacuous"]

VACUOUS = "vacuous"
"""Accepts promises that ask nothing of the records."""
EMPTY = "empty"
"""Accepts a release in which nothing is left of what others may know."""


def refuse_unknown(accept: Collection[str], records: Records) -> None:
    """Refuse to accept what is not there: a name written wrongly must not pass for a decision."""
    table = part_of(records, "demographics")
    # a table whose records are not in memory has columns too
    columns = cast(Microdata, table).columns if table.kind == Microdata.kind else ()
    roles = {column.name: column.role for column in columns}
    known = (*roles, EMPTY) if records.kind == Microdata.kind else (*roles, VACUOUS, EMPTY)
    for name in accept:
        if name == VACUOUS and name not in known:
            raise WordingError(
                f"The word {VACUOUS} applies to ratings alone: no promise on a table is vacuous.",
                f"Known are: {', '.join(known)}.",
            )
        if name not in known:
            raise WordingError(f"There is no column {name!r} to accept.", f"Known are: {', '.join(known)}.")
        if name in roles and roles[name] is not Role.INSENSITIVE:
            raise WordingError(
                f"The column {name!r} is not insensitive, so there is nothing to accept.",
                f"Only insensitive columns can be accepted, and the word {EMPTY}.",
            )


def refuse_vacuous(promises: Sequence[tuple[PrivacyModel, Caveat | None]], accept: Collection[str]) -> None:
    """Refuse a promise that asks nothing of the records, unless the owner accepts that."""
    for model, caveat in promises:
        if caveat is not None and caveat.vacuous and VACUOUS not in accept:
            raise VacuousPromise(
                f"{model} would protect nobody; nothing was published. {caveat.sentence}",
                f"Promise a smaller epsilon, or accept it (--accept {VACUOUS}).",
            )


def refuse_empty(accept: Collection[str], *, empty: bool) -> None:
    """Refuse a release in which nothing is left of what others may know, unless the owner accepts that."""
    if empty and EMPTY not in accept:
        raise NothingLeft(
            "Nothing would be left: no rating that others may know, and no value of a quasi-identifier, would be "
            "published of anybody; nothing was published.",
            f"Promise less, allow records to be withheld, choose another method, or accept it (--accept {EMPTY}).",
        )


def audited(
    published: Records,
    records: Records,
    origins: np.ndarray,
    judgment: Judgment,
    models: Sequence[PrivacyModel],
    accept: Collection[str],
) -> tuple[str, ...]:
    """Refuse columns outside the promises that undo them, unless accepted by name; return those that were accepted."""
    table = part_of(published, "demographics")
    if not isinstance(table, Microdata) or not table.with_role(Role.INSENSITIVE):
        return ()
    original = records.take(origins)
    promised: dict[Part | None, tuple[Grouping, int]] = {}
    for model in models:
        k = promised_k(each for each in models if each.part == model.part)
        promised[model.part] = judgment.groups_by_part[model.part].grouping, k or 2
    with stage("auditing columns"):
        if isinstance(published, Survey) and isinstance(original, Survey):
            objections = audit_survey(published, original, promised, promised_k(models) or 2)
        else:
            assert isinstance(original, Microdata)
            objections = audit_columns(table, original, *promised[None])
        return refuse_unaccepted(objections, accept)
