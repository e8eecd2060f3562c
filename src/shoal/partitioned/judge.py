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
from .node_judging import compare_groups
from .people.values import people_by_value
from .persons import PERSON, distinct_people
from .table import PartitionedTable

__all__ = ["PartitionedJudgment", "among_people", "judge_groups", "judge_partitioned", "record_sizes"]


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
    groups = among_people(groups, models)
    verdicts, sizes = judge_groups(groups, models, table)
    if table.names_people:
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


def record_sizes(groups: GroupRows) -> dict[int, int]:
    """Return how many groups there are of each number of records, where rows are records."""
    found = groups.rows.map_partitions(_CountSizes(groups.layout), _SIZES).collect("counting records")
    return dict(found.group_by("size").agg(pl.col("groups").sum()).iter_rows())


_SIZES: Columns = {"size": pl.Int64(), "groups": pl.Int64()}


@dataclass(frozen=True)
class _CountSizes:
    layout: GroupLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        sizes, groups = np.unique(np.bincount(self.layout.grouping(rows).labels), return_counts=True)
        return pl.DataFrame({"size": sizes, "groups": groups}, schema=dict(_SIZES))


def _refuse_without_groups(models: Sequence[PrivacyModel]) -> None:
    for model in models:
        if not isinstance(model.need, NeedGroups):
            raise WordingError(
                f"The promise {model.name!r} is not judged on groups, and of records not in memory only groups are.",
                "Read the table into memory (--engine local).",
            )


def among_people(groups: GroupRows, models: Sequence[PrivacyModel]) -> GroupRows:
    """Return groups that are compared with all people, where a promise compares them and people are counted."""
    counts_people = groups.layout.in_people or groups.layout.n_stated
    if not (counts_people and compare_groups(models)):
        return groups
    return replace(groups, layout=groups.layout.among(people_by_value(groups)))


_JUDGED: Columns = {"judged": pl.String()}


@dataclass(frozen=True)
class _JudgePartition:
    """Judges every promise on the groups of a partition."""

    layout: Shared[GroupLayout]
    models: tuple[PrivacyModel, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_JUDGED))
        counts = self.layout.value.groups(rows)[1]
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
