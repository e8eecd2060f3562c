"""Promises judged where the groups are: partition by partition, and the verdicts merged.

A group is whole in one partition, so each partition is judged exactly. What groups are compared with, how common
sensitive values are in all records, is known of the columns, or counted first where people are counted. What comes
back of a partition is a verdict a promise and how many groups there are of each size: never an entry a record.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
import polars as pl

from shoal.backends import Columns, Shared
from shoal.engines import refuse_misfits
from shoal.errors import WordingError
from shoal.evidence import NeedGroups
from shoal.models import PrivacyModel, Verdict

from .group_rows import GroupLayout, GroupRows, group_rows
from .persons import PERSON, distinct_people
from .table import PartitionedTable

__all__ = ["PartitionedJudgment", "judge_groups", "judge_partitioned"]


@dataclass(frozen=True)
class PartitionedJudgment:
    """The verdicts on a table that is not in memory, and its groups, which are where its records are."""

    verdicts: tuple[Verdict, ...]
    group_sizes: dict[int, int]
    """How many groups there are of each size."""
    groups: GroupRows

    @property
    def holds(self) -> bool:
        """Whether every promise holds."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def n_groups(self) -> int:
        """How many groups of records with equal observable parts there are."""
        return sum(self.group_sizes.values())


def judge_partitioned(table: PartitionedTable, models: Sequence[PrivacyModel]) -> PartitionedJudgment:
    """Judge promises on a table as it stands."""
    refuse_misfits(table, models)
    _refuse_without_groups(models)
    groups = group_rows(table, sensitive=any(model.needs_sensitive for model in models))
    if table.has_repeated_people and any(_compares(model) for model in models):
        groups = replace(groups, layout=groups.layout.among(_values_of_people(groups)))
    verdicts, sizes = judge_groups(groups, models, table)
    if table.has_repeated_people:
        judging = _JudgePartition(table.backend.shared(groups.layout), tuple(models))
        verdicts = tuple(
            verdict
            if verdict.holds
            else replace(verdict, violations=_people_among(groups, judging, i, table.n_records))
            for i, verdict in enumerate(verdicts)
        )
    return PartitionedJudgment(verdicts, sizes, groups)


def judge_groups(
    groups: GroupRows, models: Sequence[PrivacyModel], table: PartitionedTable
) -> tuple[tuple[Verdict, ...], dict[int, int]]:
    """Judge promises on groups, each of which is in one partition; return also how many groups are of each size."""
    judging = _JudgePartition(table.backend.shared(groups.layout), tuple(models))
    found = groups.rows.map_partitions(judging, _JUDGED).collect("judging")
    parts = [json.loads(text) for text in found["judged"]]
    verdicts = tuple(
        replace(model.merged([_verdict(part["verdicts"][i], model) for part in parts]), caveat=model.caveat(table))
        for i, model in enumerate(models)
    )
    sizes = reduce(add, (Counter({int(size): n for size, n in part["sizes"].items()}) for part in parts), Counter())
    return verdicts, dict(sizes)


def _refuse_without_groups(models: Sequence[PrivacyModel]) -> None:
    for model in models:
        if not isinstance(model.need, NeedGroups):
            raise WordingError(
                f"The promise {model.name!r} is not judged on groups, and of records not in memory only groups are.",
                "Read the table into memory (--engine local).",
            )


def _compares(model: PrivacyModel) -> bool:
    return isinstance(model.need, NeedGroups) and model.need.overall


_JUDGED: Columns = {"judged": pl.String()}


@dataclass(frozen=True)
class _JudgePartition:
    """Judges every promise on the groups of a partition."""

    layout: Shared[GroupLayout]
    models: tuple[PrivacyModel, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_JUDGED))
        counts = self.layout.value.counted(rows)[1]
        verdicts = [model.judge(counts) for model in self.models]
        sizes, groups = np.unique(counts.sizes, return_counts=True)
        judged = {
            "verdicts": [{"level": dict(each.level), "violations": each.violations} for each in verdicts],
            "sizes": dict(zip(map(str, sizes.tolist()), groups.tolist(), strict=True)),
        }
        return pl.DataFrame({"judged": [json.dumps(judged)]})

    def violating(self, rows: pl.DataFrame, model: int) -> np.ndarray:
        """Return the mask of the rows that break a promise."""
        grouping, counts = self.layout.value.counted(rows)
        return grouping.members(self.models[model].judge(counts).violating)


def _verdict(judged: dict, model: PrivacyModel) -> Verdict:
    """Return the verdict of a partition, whose groups stay there."""
    violations = judged["violations"]
    return Verdict(str(model), not violations, judged["level"], violations, np.zeros(0, bool))


def _values_of_people(groups: GroupRows) -> list[np.ndarray]:
    """Return of each sensitive column how many people of a group have each value, over all groups."""
    sensitive = groups.layout.sensitive
    found = groups.rows.map_partitions(_CountValues(groups.layout), _VALUES).collect("counting people by value")
    return [
        np.bincount(mine["value"], mine["people"], minlength=len(column.vocabulary)).astype(np.int64)
        for i, column in enumerate(sensitive)
        for mine in [found.filter(pl.col("column") == i)]
    ]


_VALUES: Columns = {"column": pl.UInt32(), "value": pl.Int64(), "people": pl.Int64()}


@dataclass(frozen=True)
class _CountValues:
    """Counts the people of a partition who have each sensitive value, group by group."""

    layout: GroupLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        counts = self.layout.counted(rows)[1] if rows.height else None
        parts = [
            pl.DataFrame({"column": i, "value": each.values, "people": each.counts})
            for i, each in enumerate(() if counts is None else counts.sensitive)
        ]
        counted = [part.group_by("column", "value").agg(pl.col("people").sum()) for part in parts]
        typed = [part.select(pl.col(name).cast(dtype) for name, dtype in _VALUES.items()) for part in counted]
        return pl.concat([pl.DataFrame(schema=dict(_VALUES)), *typed])


def _people_among(groups: GroupRows, judging: _JudgePartition, model: int, n_rows: int) -> int:
    """Count the people of the groups that break a promise, once each, in however many groups they are."""
    theirs = groups.rows.map_partitions(_PeopleViolating(judging, model), {PERSON: pl.UInt64()})
    return distinct_people(theirs, n_rows)


@dataclass(frozen=True)
class _PeopleViolating:
    judging: _JudgePartition
    model: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        people = rows.select(PERSON)
        return people.filter(pl.Series(self.judging.violating(rows, self.model))).unique() if rows.height else people
