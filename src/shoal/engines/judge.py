"""Promises judged on records: the evidence each needs is computed once, and every verdict is exact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, cast

import numpy as np

from shoal.data import Column, Microdata, Part, Records, Survey, kind_in_words, kinds_in_words, part_of
from shoal.errors import DataError, SchemaError, WordingError
from shoal.evidence import GroupCounts, Grouping, NeedGroups, NeedItemSets, NeedNeighborhoods, NeedPartition
from shoal.models import PrivacyModel, Verdict
from shoal.progress import stage

from .base import Engine

__all__ = ["Judgment", "judge", "refuse_misfits"]


class Groups:
    """The groups of equal records and their counts, computed once and only when asked for."""

    def __init__(self, records: Records, models: Sequence[PrivacyModel], engine: Engine) -> None:
        self._records, self._engine = records, engine
        self._sensitive = any(isinstance(model.need, NeedGroups) and model.need.sensitive for model in models)

    @cached_property
    def grouping(self) -> Grouping:
        """Which group each record is in."""
        with stage("grouping records"):
            return self._engine.group(self._records)

    @cached_property
    def counts(self) -> GroupCounts:
        """How large the groups are and, if a promise asks, which sensitive values they hold."""
        return self._engine.count(self._records, self.grouping, sensitive=self._sensitive)


@dataclass(frozen=True)
class Judgment:
    """The verdicts on one data set."""

    verdicts: tuple[Verdict, ...]
    violating: np.ndarray
    """Mask of the records that break any of the promises."""
    groups: Groups
    """The groups of whole records, also where a promise is made on a part of a survey."""
    groups_by_part: Mapping[Part | None, Groups] = field(default_factory=dict)
    """The groups that each promise was judged on, by the part that it names."""

    @property
    def n_groups(self) -> int:
        """How many groups of records with equal observable parts there are."""
        return self.groups.grouping.n_groups

    @property
    def holds(self) -> bool:
        """Whether every promise holds."""
        return all(verdict.holds for verdict in self.verdicts)


def judge(records: Records, models: Sequence[PrivacyModel], engine: Engine) -> Judgment:
    """Judge promises on records as they stand: each on the whole records, or on the part that it names."""
    refuse_misfits(records, models)
    violating = np.zeros(len(records), dtype=bool)
    named: tuple[Part | None, ...] = (None, *(model.part for model in models))
    groups: dict[Part | None, Groups] = {part: _groups_of(records, models, part, engine) for part in named}
    verdicts: list[Verdict] = []
    for model in models:
        judged = part_of(records, model.part)
        verdict, broken = _verdict(judged, model, groups[model.part], engine)
        violating |= broken
        if judged.n_people != len(judged):
            verdict = replace(verdict, violations=_people_of(judged, broken, verdict.violations))
        verdicts.append(replace(verdict, caveat=model.caveat(judged)))
    return Judgment(tuple(verdicts), violating, groups[None], groups)


def _groups_of(records: Records, models: Sequence[PrivacyModel], part: Part | None, engine: Engine) -> Groups:
    return Groups(part_of(records, part), [model for model in models if model.part == part], engine)


def _verdict(records: Records, model: PrivacyModel, groups: Groups, engine: Engine) -> tuple[Verdict, np.ndarray]:
    """Return the verdict on one promise, and the mask of the records that break it."""
    need = model.need
    if isinstance(need, NeedNeighborhoods):
        with stage("counting neighbors"):
            found = engine.neighbors(records, need.epsilon, enough=need.enough, sensitive=need.sensitive)
        verdict = model.judge(found)
        return verdict, verdict.violating
    if isinstance(need, NeedPartition):
        with stage("splitting into groups"):
            verdict = model.judge(engine.partition(records, need))
        return verdict, verdict.violating
    if isinstance(need, NeedItemSets):
        grouping = groups.grouping
        with stage("counting who holds items"):
            verdict = model.judge(engine.item_sets(records, grouping, need))
        return verdict, grouping.members(verdict.violating)
    verdict = model.judge(groups.counts)
    return verdict, groups.grouping.members(verdict.violating)


def _people_of(records: Records, chosen: np.ndarray, counted: int) -> int:
    """Count the people of some records, once each; by group they were counted once in every group.

    Of published records only numbers by group are known: there may be as many people as those add up to.
    """
    if records.stated is not None:
        return counted
    return records.take(np.flatnonzero(chosen)).n_people


def refuse_misfits(records: Records, models: Sequence[PrivacyModel]) -> None:
    """Refuse promises that cannot be made on these records at all."""
    for model in models:
        _refuse_misfit(records, model)


def _refuse_misfit(records: Records, model: PrivacyModel) -> None:
    if model.part is not None and not isinstance(records, Survey):
        raise WordingError(
            f"The promise {model.name!r} is asked of the {model.part}, and these data are "
            f"{kind_in_words(records.kind)} alone.",
            "Leave out part: it is for surveys, which have answers and demographics.",
        )
    records = part_of(records, model.part)
    if records.kind not in model.kinds:
        these = "these data are" if model.part is None else f"the {model.part} are"
        raise WordingError(
            f"The promise {model.name!r} is made on {kinds_in_words(model.kinds)}, and {these} "
            f"{kind_in_words(records.kind)}."
        )
    if not records.has_observable:
        raise SchemaError(
            f"The promise {model.name!r} would mean nothing: no part of the records is declared as known to others.",
            "Give columns the role 'quasi-identifier', or leave some items out of 'sensitive'.",
        )
    if model.needs_sensitive and not _has_sensitive(records, model):
        lacking, cure = _lacking(records, model)
        raise SchemaError(f"The promise {model.name!r} is about {lacking}.", cure)
    if isinstance(model.need, NeedGroups) and model.need.declared is not None:
        for column in _sensitive_columns(records):
            _refuse_undeclared(column, model, model.need.declared, answers=_is_answer(column, records))
    if isinstance(model.need, NeedGroups) and model.need.amounts and _hides_amounts(records):
        raise WordingError(
            f"The promise {model.name!r} counts the people who have each sensitive value, and these data do not say "
            "how many do.",
            "Ask the publisher, or ask for a promise on which values occur.",
        )
    # of published records it is not known how many people they are of
    if (records.n_people if records.stated is None else len(records)) < model.fewest_records:
        raise DataError(
            f"There are {records.n_people:,} {_units(records)}, fewer than the {model.fewest_records:,} that {model} "
            "needs.",
            "Ask for less, or collect more.",
        )


def _lacking(records: Records, model: PrivacyModel) -> tuple[str, str]:
    """Return what a promise is about and records do not have, and how to mend it."""
    column = "Give at least one column the role 'sensitive' in the schema."
    if not isinstance(model.need, NeedGroups):
        return "sensitive ratings, and no item is declared as sensitive", "List items under 'sensitive' in the schema."
    if isinstance(records, Survey) and len(records.ratings.sensitive.items):
        return "sensitive values, no column is declared as one, and nobody answered a sensitive item", column
    return "sensitive values, and none is declared", column


def _has_sensitive(records: Records, model: PrivacyModel) -> bool:
    """Decide whether records have sensitive values of the kind that a promise is about: values, or ratings alone."""
    if isinstance(records, Survey) and not isinstance(model.need, NeedGroups):
        return records.ratings.has_sensitive
    return records.has_sensitive


def _sensitive_columns(records: Records) -> tuple[Column, ...]:
    table = records.with_sensitive_answers if isinstance(records, Survey) else records
    # a table whose records are not in memory has columns too
    return cast(Microdata, table).sensitive if table.kind == Microdata.kind else ()


def _is_answer(column: Column, records: Records) -> bool:
    return isinstance(records, Survey) and column.name not in records.table.names


def _hides_amounts(records: Records) -> bool:
    """Decide whether records are published without the numbers of people by sensitive value."""
    return records.stated is not None and not records.stated.with_value


def _units(records: Records) -> str:
    return "people" if records.n_people != len(records) else "records"


_Declared = Literal["categories", "order", "hierarchy"]
_WORDS: dict[_Declared, tuple[str, str]] = {
    "categories": (
        "categories",
        "List its values under 'categories' in the schema, the most sensitive category first.",
    ),
    "order": (
        "an order of the values",
        "List its values in their order under 'categories' in the schema, or use another distance.",
    ),
    "hierarchy": ("a hierarchy", "Give the column a hierarchy in the schema, or use another distance."),
}


def _refuse_undeclared(column: Column, model: PrivacyModel, declared: _Declared, *, answers: bool) -> None:
    """Refuse a promise that needs what was not declared for a column, or not for all values that occur."""
    what, cure = _WORDS[declared]
    known = _declared_codes(column, declared)
    if known is None and answers:
        raise SchemaError(
            f"The promise {model.name!r} needs {what}, and the answers to the item {column.name!r} have none.",
            "Make it on the demographics alone (part=demographics).",
        )
    if known is None:
        raise SchemaError(f"The promise {model.name!r} needs {what}, and the column {column.name!r} has none.", cure)
    occurs = column.counts > 0
    left_out = int(np.count_nonzero(occurs & (known < 0) & column.vocabulary.values.is_not_null().to_numpy()))
    if left_out:
        raise SchemaError(f"{left_out:,} values of the column {column.name!r} are in no category.", cure)


def _declared_codes(column: Column, declared: _Declared) -> np.ndarray | None:
    """Return the category, rank or root declared for each value, −1 where it has none; None where no value has one."""
    if declared == "hierarchy":
        return None if column.hierarchy is None else column.hierarchy.maps[-1]
    if declared == "order":
        return column.rank_of
    return column.category_of if column.categories else None
