"""Nodes of the lattice judged wherever the records are, until their table is small; then here.

What comes back of a partition are sums over its groups, from which the cost of the node follows. Where groups are
compared with all records, withholding some changes what the others are compared with, and groups are judged again.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import polars as pl

from shoal.anonymizers import Allowance
from shoal.anonymizers.generalization.node_evaluation import JudgedNode, NodeEvaluation
from shoal.anonymizers.generalization.node_loss import NodeLoss
from shoal.anonymizers.generalization.node_sums import NodeSums
from shoal.anonymizers.generalization.withheld_groups import broken_groups
from shoal.backends import Backend, Columns, Shared
from shoal.data import CountedColumn, Hierarchy
from shoal.evidence import GroupCounts, NeedGroups, PrivacyHashTable, SensitiveValues
from shoal.models import PrivacyModel

from .group_rows import GroupLayout
from .node_rows import NodeRows, node_table

__all__ = [
    "PartitionedBase",
    "PartitionedEvaluation",
    "Totals",
    "among",
    "compare_groups",
    "removed_values",
    "withheld_in_turn",
    "withheld_totals",
]

_MOST_CELLS = 1 << 22
"""Records are counted by attributes of which there are at most a quarter of this many combinations."""


@dataclass(frozen=True)
class PartitionedBase:
    """The lowest node, whose groups are elsewhere."""

    rows: NodeRows
    columns: tuple[CountedColumn, ...]
    """The quasi-identifiers."""
    records: int

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """The hierarchy of each attribute."""
        return self.rows.hierarchies

    def __len__(self) -> int:
        return min(self.rows.n_rows, _MOST_CELLS)

    def label_counts(self) -> list[np.ndarray]:
        """Return by attribute how many records have each of its values."""
        return [column.counts for column in self.columns]

    def value_counts(self, attributes: Sequence[int]) -> np.ndarray:
        """Count records by the values of some attributes: an array with one axis each."""
        return self.rows.counts_of_cells(attributes)


class PartitionedEvaluation(NodeEvaluation):
    """Evaluates nodes where their groups are; a table that is small enough comes here, and those above it follow."""

    def __init__(
        self,
        base: PartitionedBase,
        models: Sequence[PrivacyModel],
        max_withheld: Allowance,
        loss: NodeLoss,
        backend: Backend,
    ) -> None:
        super().__init__(base, models, max_withheld, loss)
        self._backend = backend
        self._there = [base.rows]

    def judged(self, node: tuple[int, ...]) -> JudgedNode:
        """Judge the promises on the groups of a node, here or where they are."""
        if self.has_table_below(node):
            return super().judged(node)
        rows = self._source(node)
        if rows.n_rows > self._backend.most_groups:
            rows = self.rows_of(node)
        if rows.n_rows > self._backend.most_groups:
            return self._judged_there(rows)
        return self.judged_table(self._brought(rows, node))

    def _brought(self, rows: NodeRows, node: tuple[int, ...]) -> PrivacyHashTable:
        """Bring the groups of a node below here, and return those of the node; they stay as long as there is room."""
        table = rows.table(rows.groups.rows.collect("bringing groups here"))
        self.hold(table, fixed=self.n_fixed_groups + len(table) <= self._backend.most_groups)
        if table.node == node:
            return table
        above = table.rolled_up(node)
        self.hold(above)
        return above

    def rows_of(self, node: tuple[int, ...]) -> NodeRows:
        """Return the groups of a node where they are, made from the fewest rows of a node below."""
        source = self._source(node)
        if source.node == node:
            return source
        rows = source.generalized(node)
        if rows.n_rows > self._backend.most_groups:  # smaller ones come here
            self._there.append(rows)
        return rows

    def _source(self, node: tuple[int, ...]) -> NodeRows:
        """Return the fewest rows of this node or one below, where they are."""
        below = [each for each in self._there if all(low <= high for low, high in zip(each.node, node, strict=True))]
        return min(below, key=lambda each: each.n_rows)

    def _judged_there(self, rows: NodeRows) -> JudgedNode:
        found, _ = withheld_totals(rows, self.models, self._backend, self.max_withheld.records)
        fewest = 0 if self.upward else found.fewest_broken
        may_withhold = found.sums.withheld <= self.max_withheld.records
        return JudgedNode(found.sums, may_withhold, fewest > self.max_withheld.records, fewest)


@dataclass(frozen=True)
class _Found:
    """What is found of the groups of a partition, or of all of them."""

    sums: NodeSums
    fewest_broken: int
    removed: list[np.ndarray]
    """By sensitive column, how many withheld records have each value."""


Totals = tuple[np.ndarray, ...]


def withheld_totals(
    rows: NodeRows, models: Sequence[PrivacyModel], backend: Backend, most: int
) -> tuple[_Found, tuple[Totals, ...]]:
    """Find what must be withheld of a node; return also what groups were compared with, time after time.

    It ends when no group breaks a promise that is not withheld, or when more than ``most`` records are.
    """
    totals: list[Totals] = [tuple(column.counts for column in rows.layout.sensitive)]
    found = _judged(rows, models, backend, totals)
    while compare_groups(models) and found.sums.withheld_groups < found.sums.groups and found.sums.withheld <= most:
        left = tuple(all_ - gone for all_, gone in zip(totals[0], found.removed, strict=True))
        if all(np.array_equal(one, two) for one, two in zip(left, totals[-1], strict=True)):
            break
        totals.append(left)
        found = _judged(rows, models, backend, totals)
    return found, tuple(totals)


def _judged(rows: NodeRows, models: Sequence[PrivacyModel], backend: Backend, totals: Sequence[Totals]) -> _Found:
    judging = JudgePartition(
        backend.shared(rows.layout), rows.hierarchies, rows.node, tuple(models), backend.shared(tuple(totals))
    )
    found = rows.groups.rows.map_partitions(judging, _FOUND).collect("judging a node")
    parts = [cast(_Found, pickle.loads(each)) for each in found["found"]]
    removed = [np.sum([part.removed[i] for part in parts], axis=0) for i in range(len(rows.layout.sensitive))]
    return _Found(NodeSums.total([part.sums for part in parts]), sum(part.fewest_broken for part in parts), removed)


_FOUND: Columns = {"found": pl.Binary()}


@dataclass(frozen=True)
class JudgePartition:
    """Finds which groups of a partition must be withheld."""

    layout: Shared[GroupLayout]
    hierarchies: tuple[Hierarchy, ...]
    node: tuple[int, ...]
    models: tuple[PrivacyModel, ...]
    totals: Shared[tuple[Totals, ...]]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_FOUND))
        table = node_table(self.hierarchies, self.node, self.layout.value, rows)
        gone = withheld_in_turn(table.counts, self.models, self.totals.value)
        first = among(table.counts, self.totals.value[0])
        fewest = int(np.max([model.fewest_broken(first) for model in self.models], axis=0).sum())
        found = _Found(NodeSums.of(table, gone, labels=True), fewest, removed_values(table.counts, gone))
        return pl.DataFrame({"found": [pickle.dumps(found)]}, schema=dict(_FOUND))


def removed_values(counts: GroupCounts, gone: np.ndarray) -> list[np.ndarray]:
    """Return by sensitive column how many of the groups of a mask have each value."""
    removed = []
    for each in counts.sensitive:
        here = gone[each.groups]
        removed.append(np.bincount(each.values[here], each.counts[here], minlength=each.n_values).astype(np.int64))
    return removed


def compare_groups(models: Sequence[PrivacyModel]) -> bool:
    """Decide whether a promise compares groups with all records."""
    return any(isinstance(model.need, NeedGroups) and model.need.overall for model in models)


def withheld_in_turn(counts: GroupCounts, models: Sequence[PrivacyModel], totals: Sequence[Totals]) -> np.ndarray:
    """Return the mask of the groups that are withheld, compared with one set of totals after the other."""
    gone = broken_groups(among(counts, totals[0]), models)
    for left in totals[1:]:
        rest = among(counts.without(gone), left)
        gone[~gone] = broken_groups(rest, models)
    return gone


def among(counts: GroupCounts, totals: Totals) -> GroupCounts:
    """Return the counts of groups among records of which these numbers have each sensitive value."""
    known = (
        replace(each, known=SensitiveValues(each.known.column, numbers)) if each.known is not None else each
        for each, numbers in zip(counts.sensitive, totals, strict=True)
    )
    return replace(counts, sensitive=tuple(known))
