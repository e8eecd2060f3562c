"""Which records of a labeled table are published: those of groups that break no promise, wherever they are.

All records of a group are brought into one partition, and groups that break a promise are left out. Where groups are
compared with all records, those that are left are judged again, until no promise is broken. People are counted where
they may have several records.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl

from shoal.anonymizers import Allowance
from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.errors import PromiseNotKept
from shoal.evidence import GroupCounts, Grouping
from shoal.models import PrivacyModel

from .group_rows import RECORDS, GroupLayout, GroupRows
from .labeled_table import LEFT_OUT, LabeledTable, Labeling
from .node_judging import Totals, compare_groups, removed_values, withheld_in_turn
from .people.values import people_by_value
from .persons import PERSON, distinct_people
from .table import PartitionedTable, coded_name

__all__ = ["LabeledGroups", "RowsOfGroups", "Withheld", "grouped_rows"]


@dataclass(frozen=True)
class RowsOfGroups:
    """Writes rows of values as rows of groups, by their labels."""

    layout: GroupLayout
    labeling: Labeling
    sensitive: tuple[str, ...]
    """The columns of sensitive codes."""

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return a row of groups for each row, which is one record."""
        places = range(len(self.labeling.by_value))
        labels = pl.DataFrame([pl.Series(coded_name(i), self.labeling.codes(rows, i)) for i in places])
        words = {f"w{i}": pl.Series(word.packed(labels)) for i, word in enumerate(self.layout.words)}
        codes = {f"s{i}": rows[name] for i, name in enumerate(self.sensitive)}
        whose = rows[PERSON] if self.layout.in_people else pl.lit(1, pl.UInt64).alias(RECORDS)
        return self.layout.keyed(pl.DataFrame({**words, **codes}).with_columns(whose))

    def grouping(self, rows: pl.DataFrame) -> Grouping:
        """Return the group of each row of a partition."""
        return self.layout.grouping(self(rows))

    def counted(self, rows: pl.DataFrame) -> tuple[Grouping, GroupCounts]:
        """Return the groups of a partition and what is counted of each."""
        return self.layout.counted(self(rows))


_KEY = "key of the group"


@dataclass(frozen=True)
class _Key:
    grouped: Shared[RowsOfGroups]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        grouped = self.grouped.value
        return rows.with_columns(grouped(rows)[grouped.layout.key].alias(_KEY))


def grouped_rows(rows: Partitions, grouped: Shared[RowsOfGroups], n_rows: int) -> Partitions:
    """Return rows in partitions in which those of a group are together."""
    keyed = rows.map_batches(_Key(grouped), {**rows.columns, _KEY: pl.UInt64()})
    together = keyed.shuffle(_KEY, n_rows, "grouping what is published")
    return together.map_partitions(_without_key, rows.columns)


def _without_key(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    return rows.drop(_KEY)


@dataclass(frozen=True)
class _Found:
    """What is found of the groups of a partition, or of all of them."""

    records: int
    """How many records are withheld."""
    removed: list[np.ndarray]
    """By sensitive column, how many that are withheld have each value."""


@dataclass(frozen=True)
class Withheld:
    """The records that are withheld; none unless said."""

    records: int = 0
    totals: tuple[Totals, ...] = ()
    """What groups are compared with, time after time, until none breaks a promise."""


@dataclass(frozen=True)
class LabeledGroups:
    """The groups of a labeled table, each in one partition."""

    rows: Partitions
    grouped: RowsOfGroups
    backend: Backend
    n_records: int
    models: tuple[PrivacyModel, ...]

    @classmethod
    def of(cls, labeled: LabeledTable, models: Sequence[PrivacyModel]) -> "LabeledGroups":
        """Bring the records of each group together."""
        table = labeled.table
        layout = labeled.layout(sensitive=any(model.needs_sensitive for model in models))
        grouped = RowsOfGroups(layout, labeled.labeling, table.codes_of(layout.sensitive))
        rows = grouped_rows(table.rows, table.backend.shared(grouped), table.n_records)
        return cls(rows, grouped, table.backend, table.n_records, tuple(models))

    def withheld(self, table: PartitionedTable, budget: Allowance) -> "Withheld":
        """Return what is withheld so that no group breaks a promise; raise where that is more than allowed."""
        layout = self.grouped.layout
        totals: list[Totals] = [tuple(column.counts for column in layout.sensitive)]
        compares = compare_groups(self.models)
        if compares and (layout.in_people or LEFT_OUT in self.rows.columns):
            totals = [tuple(people_by_value(self._left))]
        while True:
            found = self._found(totals)
            self._refuse_too_many(found, totals, table, budget)
            left = tuple(all_ - gone for all_, gone in zip(totals[0], found.removed, strict=True))
            if not compares or all(np.array_equal(one, two) for one, two in zip(left, totals[-1], strict=True)):
                return Withheld(found.records, tuple(totals))
            totals.append(left)

    @property
    def _left(self) -> GroupRows:
        """The groups that the method did not leave out."""
        rows = self.rows.map_batches(_left, self.rows.columns)
        return GroupRows(rows.map_batches(self.grouped, self.grouped.layout.columns), self.grouped.layout)

    def _found(self, totals: Sequence[Totals]) -> _Found:
        found = self.rows.map_partitions(_Find(self._keeping(totals)), _FOUND).collect("withholding")
        parts = [cast(_Found, pickle.loads(each)) for each in found["found"]]
        removed = [np.sum([part.removed[i] for part in parts], axis=0) for i in range(len(totals[0]))]
        return _Found(sum(part.records for part in parts), removed)

    def _refuse_too_many(
        self, found: _Found, totals: Sequence[Totals], table: PartitionedTable, budget: Allowance
    ) -> None:
        if found.records > budget.records or found.records == self.n_records:
            raise PromiseNotKept(
                f"At least {found.records:,} of the {self.n_records:,} records would have to be withheld, more than "
                f"the {budget.records:,} allowed.",
                "Allow more, promise less, or choose another method.",
            )
        if not table.has_repeated_people or found.records <= budget.people:
            return
        theirs = self.rows.map_partitions(_Lose(self._keeping(totals)), {PERSON: pl.UInt64()})
        people = distinct_people(theirs, self.n_records)
        if people > budget.people:
            raise PromiseNotKept(
                f"Records of at least {people:,} of the {table.n_people:,} people would have to be withheld, more than "
                f"the {budget.people:,} allowed.",
                "Allow more, promise less, or choose another method.",
            )

    def _keeping(self, totals: Sequence[Totals]) -> "_Keep":
        return _Keep(self.backend.shared(self.grouped), self.models, self.backend.shared(tuple(totals)))

    def kept(self, withheld: "Withheld") -> Partitions:
        """Return the rows that may be published; all of them where nothing may be withheld."""
        if not withheld.totals:
            return self.rows
        return self.rows.map_partitions(self._keeping(withheld.totals), self.rows.columns).persist("withholding")


_FOUND: Columns = {"found": pl.Binary()}


@dataclass(frozen=True)
class _Keep:
    """Leaves out the records whose groups break a promise."""

    grouped: Shared[RowsOfGroups]
    models: tuple[PrivacyModel, ...]
    totals: Shared[tuple[Totals, ...]]
    """What groups are compared with, time after time."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return the rows of a partition that may be published."""
        return rows.filter(~pl.Series(self.gone(rows))) if rows.height else rows

    def gone(self, rows: pl.DataFrame) -> np.ndarray:
        """Return the mask of the rows that are withheld."""
        gone = _left_out(rows)
        left = np.flatnonzero(~gone)
        if len(left):
            grouping, _, withheld = self.judged(rows[left])
            gone[left] = grouping.members(withheld)
        return gone

    def judged(self, rows: pl.DataFrame) -> tuple[Grouping, GroupCounts, np.ndarray]:
        """Return the groups of rows, what is counted of them, and the mask of those that are withheld."""
        grouping, counts = self.grouped.value.counted(rows)
        return grouping, counts, withheld_in_turn(counts, self.models, self.totals.value)


def _left_out(rows: pl.DataFrame) -> np.ndarray:
    """Return the mask of the rows that the method itself withholds."""
    return rows[LEFT_OUT].to_numpy().copy() if LEFT_OUT in rows.columns else np.zeros(rows.height, bool)


def _left(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(~pl.col(LEFT_OUT)) if LEFT_OUT in rows.columns else rows


@dataclass(frozen=True)
class _Find:
    keep: _Keep

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        left = _left(rows)
        if not left.height:
            removed = [np.zeros_like(each) for each in self.keep.totals.value[0]]
            return _written(_Found(rows.height, removed))
        grouping, counts, gone = self.keep.judged(left)
        withheld = rows.height - left.height + int(np.count_nonzero(grouping.members(gone)))
        return _written(_Found(withheld, removed_values(counts, gone)))


def _written(found: _Found) -> pl.DataFrame:
    return pl.DataFrame({"found": [pickle.dumps(found)]}, schema=dict(_FOUND))


@dataclass(frozen=True)
class _Lose:
    """Tells who loses a record."""

    keep: _Keep

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        people = rows.select(PERSON)
        return people.filter(pl.Series(self.keep.gone(rows))).unique() if rows.height else people
