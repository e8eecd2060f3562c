"""Nodes of the lattice judged in people, where a person may have several records.

How many people two groups have together does not follow from how many each has, so people are counted anew at every
node. All records of a person are in one partition: the people of each group are counted there, and the numbers of
partitions add up. Costs are counted in records, as in memory.
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
from shoal.backends import Backend, Columns, PartitionFunction, Partitions, Shared
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.node_judging import (
    PartitionedBase,
    Totals,
    among,
    compare_groups,
    removed_values,
    withheld_in_turn,
)
from shoal.partitioned.persons import PERSON
from shoal.partitioned.table import PartitionedTable

from .node_counts import GROUP_KEY, AddUp, Count, Label, NodeGroups, PersonRows

__all__ = ["PeopleEvaluation"]


@dataclass(frozen=True)
class _Found:
    """What is found of the groups of a partition, or of all of them."""

    sums: NodeSums
    broken: int
    """How many groups break a promise at first."""
    hopeless: int
    """How many records are in groups of which every part breaks a promise."""
    removed: list[np.ndarray]
    totals: list[np.ndarray]
    """By sensitive column, how many people of all groups have each value."""


_FOUND: Columns = {"found": pl.Binary()}


@dataclass(frozen=True)
class _Judge:
    """Finds which groups of a partition must be withheld."""

    groups: NodeGroups
    models: tuple[PrivacyModel, ...]
    totals: tuple[Totals, ...]
    """What groups are compared with, time after time; nothing: with those that are here, to add up the totals."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_FOUND))
        labels, counts = self.groups.people(rows)
        gone, hopeless, broken = self._masks(counts)
        table = self.groups.table(rows, labels, len(counts))
        found = _Found(
            NodeSums.of(table, gone, labels=True),
            int(np.count_nonzero(broken)),
            int(table.counts.sizes[hopeless].sum()),
            removed_values(counts, gone),
            removed_values(counts, np.ones(len(counts), bool)),
        )
        return pl.DataFrame({"found": [pickle.dumps(found)]}, schema=dict(_FOUND))

    def _masks(self, counts: GroupCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the masks of the groups that are withheld, that are hopeless, and that break a promise at first."""
        if not self.totals:
            nothing = np.zeros(len(counts), bool)
            return nothing, nothing, nothing
        first = among(counts, self.totals[0])
        hopeless = np.any([np.zeros(len(counts), bool), *(model.hopeless(first) for model in self.models)], axis=0)
        return withheld_in_turn(counts, self.models, self.totals), hopeless, broken_groups(first, self.models)

    def withheld(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return what names the groups that are withheld."""
        return self._chosen(rows, 0)

    def hopeless(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return what names the groups that are hopeless."""
        return self._chosen(rows, 1)

    def _chosen(self, rows: pl.DataFrame, mask: int) -> pl.DataFrame:
        words = rows.select(self.groups.label.words)
        if not rows.height:
            return words
        labels, counts = self.groups.people(rows)
        return words.filter(pl.Series(self._masks(counts)[mask][labels])).unique()


class PeopleEvaluation(NodeEvaluation):
    """Evaluates nodes in people, where the records are."""

    def __init__(
        self,
        base: PartitionedBase,
        table: PartitionedTable,
        models: Sequence[PrivacyModel],
        max_withheld: Allowance,
        loss: NodeLoss,
    ) -> None:
        super().__init__(base, models, max_withheld, loss, in_people=True)
        sensitive = any(model.needs_sensitive for model in models)
        self._rows = PersonRows.of(table, base.hierarchies, sensitive=sensitive)
        self._backend: Backend = table.backend

    def judged(self, node: tuple[int, ...]) -> JudgedNode:
        """Judge the promises on the groups of a node."""
        label = self._rows.labeling(node)
        counted = self._rows.rows.map_partitions(Count(label), label.columns)
        together = counted.shuffle(GROUP_KEY, self._rows.n_rows, "counting people")
        groups = together.map_partitions(AddUp(label), label.columns).persist("counting people")
        judging = _Judge(NodeGroups(label, self._rows.hierarchies, node), self.models, ())
        judging, found = self._withheld(groups, judging)
        may_withhold = self._may_lose(groups, judging, found.sums.withheld, judging.withheld)
        breaks_below, withheld_below = False, 0
        if not self.upward and found.broken:
            breaks_below = not self._may_lose(groups, judging, found.hopeless, judging.hopeless)
            withheld_below = found.hopeless
        return JudgedNode(found.sums, may_withhold, breaks_below, withheld_below)

    def _withheld(self, groups: Partitions, judging: _Judge) -> tuple[_Judge, _Found]:
        """Find what must be withheld: again, where groups are compared with all people, until no promise is broken."""
        totals: list[Totals] = [tuple(_found(groups, judging).totals)]
        judging = replace(judging, totals=tuple(totals))
        found = _found(groups, judging)
        while compare_groups(self.models) and found.sums.withheld_groups < found.sums.groups:
            left = tuple(all_ - gone for all_, gone in zip(totals[0], found.removed, strict=True))
            if all(np.array_equal(one, two) for one, two in zip(left, totals[-1], strict=True)):
                break
            if not self._may_lose(groups, judging, found.sums.withheld, judging.withheld):
                break
            totals.append(left)
            judging = replace(judging, totals=tuple(totals))
            found = _found(groups, judging)
        return judging, found

    def _may_lose(self, groups: Partitions, judging: _Judge, records: int, chosen: PartitionFunction) -> bool:
        """Decide whether so many records of chosen groups may be withheld, and from so many people."""
        if records > self.max_withheld.records:
            return False
        if records <= self.max_withheld.people:
            return True
        label = judging.groups.label
        words: Columns = dict.fromkeys(label.words, pl.UInt64())
        named = groups.map_partitions(chosen, words).collect("counting who loses a record")
        losing = _Losing(label, self._backend.shared(named))
        found = self._rows.rows.map_partitions(losing, _NUMBER).collect("counting who loses a record")
        return int(found["number"].sum()) <= self.max_withheld.people


def _found(groups: Partitions, judging: _Judge) -> _Found:
    found = groups.map_partitions(judging, _FOUND).collect("judging a node")
    parts = [cast(_Found, pickle.loads(each)) for each in found["found"]]
    return _Found(
        NodeSums.total([part.sums for part in parts]),
        sum(part.broken for part in parts),
        sum(part.hopeless for part in parts),
        _added([part.removed for part in parts]),
        _added([part.totals for part in parts]),
    )


def _added(parts: Sequence[Sequence[np.ndarray]]) -> list[np.ndarray]:
    return [np.sum(each, axis=0) for each in zip(*parts, strict=True)]


_NUMBER: Columns = {"number": pl.Int64()}


@dataclass(frozen=True)
class _Losing:
    """Counts the people of a partition who have records in named groups."""

    label: Label
    named: Shared[pl.DataFrame]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        theirs = self.label(rows).join(self.named.value, self.label.words, "semi")
        return pl.DataFrame({"number": [theirs[PERSON].n_unique()]}, schema=dict(_NUMBER))
