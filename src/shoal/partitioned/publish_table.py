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
from shoal.anonymizers.lattice.lattice import Lattice
from shoal.anonymizers.nothing import Nothing
from shoal.backends import Columns, Partitions
from shoal.data import Role
from shoal.engines import refuse_misfits
from shoal.errors import AuditRefused, PromiseNotKept, WordingError
from shoal.io.schemas import TableSchema
from shoal.models import PrivacyModel, Verdict, promised_k
from shoal.progress import stage
from shoal.release import Certificate, CertifiedPromise, unit_of
from shoal.road.acceptance import EMPTY, refuse_empty

from .generalization import Generalization, KeepRows, RowsOfGroups, counts_of_values
from .group_rows import GroupRows
from .judge import judge_groups
from .lattice import PartitionedLattice, hierarchies_of
from .node_judging import Totals, withheld_totals
from .node_rows import NodeRows, lowest_node
from .report import report_of
from .table import PartitionedTable, coded_name
from .write_parts import Destination, drawn, write_release_of

__all__ = ["PartitionedRelease", "publish_table"]


@dataclass(frozen=True)
class PartitionedRelease:
    """What is known of a release that was written in parts."""

    certificate: Certificate
    report: Mapping[str, int | float]
    group_sizes: Mapping[int, int]
    remarks: tuple[str, ...]


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
    refuse_misfits(table, models)
    _refuse_unfit(table, accept)
    budget = Allowance.of_share(table, withhold)
    with stage(f"anonymizing ({method.name})"):
        found = _found(table, models, method, budget)
    plan = Generalization(table, found.node)
    grouped, kept = _kept(replace(table, rows=drawn(table.rows)), plan, found.rows, models, budget)
    counts = counts_of_values(kept, table.columns)
    leaving = replace(
        table, columns=plan.published(counts), n_records=int(counts[0].sum()), n_people=int(counts[0].sum())
    )
    groups = _groups(kept, grouped, leaving)
    verdicts, sizes = judge_groups(groups, models, leaving)
    _refuse_broken(verdicts, len(leaving))
    empty = plan.is_empty
    refuse_empty(accept, empty=empty)
    certificate = _certificate(
        leaving, models, verdicts, method, sum(sizes.values()), accepted=(EMPTY,) if empty else ()
    )
    write_release_of(kept, plan, leaving, schema, types, certificate, to)
    unique = 0 if min(sizes) > 1 else _unchanged_alone(kept, grouped, plan)
    report = report_of(plan, counts, sizes, unique, promised_k(models))
    return PartitionedRelease(certificate, report, sizes, found.remarks)


def _refuse_unfit(table: PartitionedTable, accept: Collection[str]) -> None:
    """Refuse what is published from memory alone."""
    if table.has_repeated_people:
        raise WordingError(
            "A table in which people have several records is published from memory.",
            "Read it into memory (--engine local).",
        )
    unaudited = [each.name for each in table.columns if each.role is Role.INSENSITIVE and each.name not in accept]
    if unaudited:
        raise AuditRefused(
            f"Insensitive columns are audited in memory, and nobody looked at {', '.join(unaudited)} here.",
            f"Drop them or make them quasi-identifiers; accept each by name (--accept {unaudited[0]}); or read the "
            "table into memory (--engine local).",
        )


@dataclass(frozen=True)
class _Found:
    """The level of each quasi-identifier, and what was found on the way."""

    node: tuple[int, ...]
    rows: NodeRows | None = None
    """The groups of the node, where they are known."""
    remarks: tuple[str, ...] = ()


def _found(table: PartitionedTable, models: Sequence[PrivacyModel], method: Anonymizer, budget: Allowance) -> _Found:
    if isinstance(method, Nothing):
        return _Found((0,) * len(table.quasi_identifiers))
    if not isinstance(method, Lattice):
        raise WordingError(
            f"The method {method.name!r} needs the records in memory.",
            "Publish with lattice, or read the table into memory (--engine local).",
        )
    outcome, evaluation = PartitionedLattice(table).searched(method, models, budget)
    node = method.best_node(outcome)
    return _Found(node, evaluation.rows_of(node) if budget.records else None, outcome.remarks)


def _kept(
    table: PartitionedTable,
    plan: Generalization,
    rows: NodeRows | None,
    models: Sequence[PrivacyModel],
    budget: Allowance,
) -> tuple[RowsOfGroups, Partitions]:
    """Return the records that may be published, those of a group in one partition."""
    sensitive, backend = any(model.needs_sensitive for model in models), table.backend
    layout = plan.layout(sensitive=sensitive)
    grouped = RowsOfGroups(layout, plan.maps, table.codes_of(layout.sensitive))
    totals: tuple[Totals, ...] = ()
    if budget.records:
        rows = rows or lowest_node(table, hierarchies_of(table), sensitive=sensitive)
        found, totals = withheld_totals(rows, models, backend, budget.records)
        if found.sums.withheld > budget.records or found.sums.withheld == table.n_records:
            raise PromiseNotKept(
                f"At least {found.sums.withheld:,} of the {table.n_records:,} records would have to be withheld, more "
                f"than the {budget.records:,} allowed.",
                "Allow more, promise less, or choose another method.",
            )
    keeping = KeepRows(backend.shared(grouped), tuple(models), backend.shared(totals))
    return grouped, keeping.kept(table.rows, table.n_records).persist("withholding")


def _groups(kept: Partitions, grouped: RowsOfGroups, leaving: PartitionedTable) -> GroupRows:
    """Return the groups of what is published, among the records that are."""
    held = tuple(each for each in leaving.sensitive if grouped.layout.sensitive)
    layout = replace(grouped.layout, sensitive=held)
    return GroupRows(kept.map_batches(replace(grouped, layout=layout), layout.columns), layout)


def _certificate(
    leaving: PartitionedTable,
    models: Sequence[PrivacyModel],
    verdicts: Sequence[Verdict],
    method: Anonymizer,
    n_groups: int,
    accepted: tuple[str, ...],
) -> Certificate:
    promises = tuple(
        CertifiedPromise(each.promise, model.meaning, each.level, each.caveat.sentence if each.caveat else "")
        for model, each in zip(models, verdicts, strict=True)
    )
    audited = tuple(column.name for column in leaving.columns if column.role is Role.INSENSITIVE)
    return Certificate(promises, str(method), len(leaving), n_groups, audited, unit=unit_of(leaving), accepted=accepted)


def _refuse_broken(verdicts: Sequence[Verdict], n: int) -> None:
    for verdict in verdicts:
        if not verdict.holds:
            raise PromiseNotKept(
                f"{verdict.promise} does not hold for {verdict.violations:,} of {n:,} records (reached: "
                f"{verdict.reached}); nothing was published.",
                "Allow records to be withheld (--withhold 2%), promise less, or choose another method.",
            )


def _unchanged_alone(kept: Partitions, grouped: RowsOfGroups, plan: Generalization) -> int:
    """Count the published records that are alone in their group and equal their original."""
    counting = _CountUnchanged(grouped, plan.unchanged)
    return int(kept.map_partitions(counting, _NUMBER).collect("looking for unique records")["number"].sum())


_NUMBER: Columns = {"number": pl.Int64()}


@dataclass(frozen=True)
class _CountUnchanged:
    grouped: RowsOfGroups
    unchanged: tuple[np.ndarray, ...]
    """By column, whether each value is published as it is."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        found = 0
        if rows.height:
            grouping, counts = self.grouped.layout.counted(self.grouped(rows))
            alone = grouping.members(counts.sizes == 1)
            for place, same in enumerate(self.unchanged):
                alone &= same[rows[coded_name(place)].to_numpy()]
            found = int(np.count_nonzero(alone))
        return pl.DataFrame({"number": [found]}, schema=dict(_NUMBER))
