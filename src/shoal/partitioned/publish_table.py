"""The one road out for a table that is not in memory: the same steps, each where the records are.

recode → withhold → judge as published → draw, shuffle and write in parts → measure. The certificate is written last;
the caller reads the release back from its files before it gets its name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import polars as pl

from shoal.anonymizers import Allowance, Anonymizer
from shoal.backends import Columns, Partitions
from shoal.column_audit import refuse_unaccepted
from shoal.engines import refuse_misfits
from shoal.errors import PromiseNotKept
from shoal.io.folders.data_parts import DataPart
from shoal.io.schemas import TableSchema
from shoal.models import PrivacyModel, Verdict, promised_k
from shoal.progress import stage
from shoal.release import Certificate
from shoal.road.acceptance import EMPTY, refuse_empty, refuse_unknown
from shoal.road.certificate import certificate_of
from shoal.road.people import refuse_published, remarks_on_dominated

from .audit import audit_release
from .group_rows import GroupRows
from .judge import among_people, judge_groups, record_sizes
from .kept_rows import LabeledGroups, RowsOfGroups, Withheld
from .label_uses import LabelUse, label_uses
from .label_weights import label_weights
from .labeled_table import LabeledTable
from .people.stated_people import dominated_classes, stated_attributes, with_stated_people
from .persons import distinct_people
from .recoding import recoded
from .report import nothing_is_left, report_of
from .table import PartitionedTable
from .write_parts import Destination, refuse_lost, write_release_of

__all__ = ["PartitionedRelease", "publish_table"]


@dataclass(frozen=True)
class PartitionedRelease:
    """What is known of a release that was written in parts."""

    certificate: Certificate
    report: Mapping[str, int | float]
    group_sizes: Mapping[int, int]
    remarks: tuple[str, ...]
    links: tuple[DataPart, ...] = ()
    """The parts of the links that its ledger keeps."""


def publish_table(
    table: PartitionedTable,
    schema: TableSchema,
    types: Mapping[str, pl.DataType],
    models: Sequence[PrivacyModel],
    method: Anonymizer,
    to: Destination,
    *,
    withhold: Fraction = Fraction(0),
    accept: Collection[str] = (),
) -> PartitionedRelease:
    """Make a release that keeps the promises, or raise."""
    refuse_published(table)
    refuse_misfits(table, models)
    refuse_unknown(accept, table)
    budget = Allowance.of_share(table, withhold)
    with stage(f"anonymizing ({method.name})"):
        made = recoded(table, models, method, budget)
    labeled = made.labeled
    groups = LabeledGroups.of(labeled, models)
    withheld = groups.withheld(table, budget) if budget.records else Withheld()
    kept = groups.kept(withheld)
    uses, grouped = label_uses(kept, labeled), groups.grouped
    leaving = _leaving(labeled, kept, uses)
    refuse_lost(len(table), len(leaving) + withheld.records)
    judged = among_people(_groups(kept, grouped, leaving), models)
    verdicts, sizes = judge_groups(judged, models, leaving)
    _refuse_broken(verdicts, leaving)
    against = _audited(leaving, uses, grouped, models, accept)
    empty = nothing_is_left(uses)
    refuse_empty(accept, empty=empty)
    certified = certificate_of(leaving, models, verdicts, method, sum(sizes.values()), leaving.backend.name)
    certificate = replace(certified, accepted_against_audit=against, accepted=(EMPTY,) if empty else ())
    remarks = (*made.remarks, *_remarks_on_people(leaving, grouped, models))
    links = _write(labeled, leaving, grouped, models, schema, types, certificate, to)
    in_records = record_sizes(judged) if leaving.has_repeated_people else sizes
    unique = 0 if min(sizes) > 1 else _unchanged_alone(kept, grouped)
    weights = label_weights(kept, labeled)
    report = report_of(uses, len(table), in_records, unique, promised_k(models), weights)
    return PartitionedRelease(certificate, {**report, **made.notes}, sizes, remarks, links)


def _leaving(labeled: LabeledTable, kept: Partitions, uses: Sequence[LabelUse]) -> PartitionedTable:
    """Return the table as it is published."""
    leaving = labeled.leaving(kept, [use.records for use in uses])
    if not leaving.has_repeated_people:
        return leaving
    return replace(leaving, n_people=distinct_people(kept, len(leaving)))


def _write(
    labeled: LabeledTable,
    leaving: PartitionedTable,
    grouped: RowsOfGroups,
    models: Sequence[PrivacyModel],
    schema: TableSchema,
    types: Mapping[str, pl.DataType],
    certificate: Certificate,
    to: Destination,
) -> tuple[DataPart, ...]:
    """Write the release; where people have several records, with the number of people of each class."""
    stated: tuple[str | None, ...] = ()
    if leaving.has_repeated_people:
        stated = stated_attributes(leaving, models)
        leaving = replace(leaving, rows=with_stated_people(leaving.rows, grouped, len(stated)))
    return write_release_of(labeled, leaving, schema, types, certificate, to, stated)


def _remarks_on_people(
    leaving: PartitionedTable, grouped: RowsOfGroups, models: Sequence[PrivacyModel]
) -> tuple[str, ...]:
    k = promised_k(models)
    if k is None or not leaving.has_repeated_people:
        return ()
    return remarks_on_dominated(dominated_classes(leaving.rows, grouped, k), k)


def _groups(kept: Partitions, grouped: RowsOfGroups, leaving: PartitionedTable) -> GroupRows:
    """Return the groups of what is published, among the records that are."""
    held = tuple(each for each in leaving.sensitive if grouped.layout.sensitive)
    layout = replace(grouped.layout, sensitive=held)
    return GroupRows(kept.map_batches(replace(grouped, layout=layout), layout.columns), layout)


def _audited(
    leaving: PartitionedTable,
    uses: Sequence[LabelUse],
    grouped: RowsOfGroups,
    models: Sequence[PrivacyModel],
    accept: Collection[str],
) -> tuple[str, ...]:
    """Refuse columns outside the promises that undo them, unless accepted by name; return those that were accepted."""
    with stage("auditing columns"):
        return refuse_unaccepted(audit_release(leaving, uses, grouped, promised_k(models) or 2), accept)


def _refuse_broken(verdicts: Sequence[Verdict], leaving: PartitionedTable) -> None:
    n = leaving.n_people
    for verdict in verdicts:
        if not verdict.holds:
            raise PromiseNotKept(
                f"{verdict.promise} does not hold for {min(verdict.violations, n):,} of {n:,} "
                f"{'people' if n != len(leaving) else 'records'} (reached: {verdict.reached}); nothing was published.",
                "Allow records to be withheld (--withhold 2%), promise less, or choose another method.",
            )


def _unchanged_alone(kept: Partitions, grouped: RowsOfGroups) -> int:
    """Count the published records that equal their original, in groups of one person."""
    counting = _CountUnchanged(grouped)
    return int(kept.map_partitions(counting, _NUMBER).collect("looking for unique records")["number"].sum())


_NUMBER: Columns = {"number": pl.Int64()}


@dataclass(frozen=True)
class _CountUnchanged:
    grouped: RowsOfGroups

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        found = 0
        if rows.height:
            grouping, counts = self.grouped.counted(rows)
            alone = grouping.members(counts.sizes == 1)
            labeling = self.grouped.labeling
            for place in range(len(labeling.by_value)):
                alone &= labeling.unchanged(rows, place)
            found = int(np.count_nonzero(alone))
        return pl.DataFrame({"number": [found]}, schema=dict(_NUMBER))
