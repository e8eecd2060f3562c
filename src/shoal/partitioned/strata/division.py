"""Strata of a sample in a table that is not in memory: each is generalized by itself, so that no group crosses them.

What is done, and why, is defined for tables in memory in :mod:`shoal.anonymizers.strata`: strata with too few people
are withheld as far as that is allowed, what may be withheld beyond is divided among the others, and groups are compared
with the records of all strata. Here each stratum is a table of the rows that are in it, wherever these are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.anonymizers import Allowance
from shoal.anonymizers.lattice.lattice import Lattice, LatticeOutcome
from shoal.anonymizers.strata import among_everybody, divided_allowance
from shoal.backends import Columns, Shared
from shoal.data import CountedColumn, Role, Vocabulary
from shoal.errors import PromiseNotKept
from shoal.evidence import GroupCounts, SensitiveValues, ValueCounts
from shoal.models import PrivacyModel

from .label_uses import counts_of_values
from .labeled_table import LEFT_OUT, LabeledTable, Labeling, label_name, same_values
from .lattice import PartitionedLattice, hierarchies_of
from .node_judging import compare_groups
from .people.values import people_of_values
from .persons import PERSON, distinct_people
from .sums import sums_by_key
from .table import PartitionedTable, coded_name
from .write_parts import drawn

__all__ = ["has_strata", "in_strata"]

_STRATUM = "number of the stratum"


def has_strata(table: PartitionedTable) -> bool:
    """Decide whether a table has strata."""
    return any(column.role is Role.STRATUM for column in table.columns)


def in_strata(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Lattice | None, budget: Allowance
) -> tuple[LabeledTable, list[LatticeOutcome]]:
    """Return a table in which each stratum is generalized by itself, or left as it is, and what was found of each."""
    strata = _Strata.of(table, models, budget)
    kept = strata.promises(models)
    outcomes, nodes = [], []
    for part, some in strata.parts(budget):
        if method is None:
            nodes.append((0,) * len(table.quasi_identifiers))
            continue
        outcome = PartitionedLattice(part).searched(method, kept, some)
        outcomes.append(outcome)
        nodes.append(method.best_node(outcome))
    return strata.labeled(nodes), outcomes


@dataclass(frozen=True)
class _Strata:
    table: PartitionedTable
    """Each row has the number of its stratum: those that are large enough first."""
    records: tuple[int, ...]
    """By stratum, how many records it has."""
    people: tuple[int, ...]
    n_large: int

    @classmethod
    def of(cls, table: PartitionedTable, models: Sequence[PrivacyModel], budget: Allowance) -> "_Strata":
        """Divide a table; raise where strata with too few people have more records than may be withheld."""
        coded = table.codes_of([column for column in table.columns if column.role is Role.STRATUM])
        found = _counted(table, coded)
        fewest = max((model.fewest_records for model in models), default=1)
        found = found.with_columns((pl.col("people") >= fewest).alias("large")).sort("large", descending=True)
        numbered = found.select(*coded, pl.int_range(pl.len(), dtype=pl.UInt32).alias(_STRATUM))
        rows = table.rows.map_batches(
            _Number(coded, table.backend.shared(numbered)), {**table.rows.columns, _STRATUM: pl.UInt32()}
        )
        strata = cls(
            replace(table, rows=rows), tuple(found["records"]), tuple(found["people"]), int(found["large"].sum())
        )
        strata._refuse_too_small(fewest, budget)
        return strata

    def _refuse_too_small(self, fewest: int, budget: Allowance) -> None:
        gone, people = self._left_out
        if self.n_large and gone <= budget.records and people <= budget.people:
            return
        raise PromiseNotKept(
            f"{len(self.records) - self.n_large:,} of {len(self.records):,} strata have fewer than {fewest:,} people, "
            f"{gone:,} records together; nothing was published.",
            "Join strata, allow more to be withheld, or promise less.",
        )

    @property
    def _left_out(self) -> tuple[int, int]:
        """How many records are in strata that are too small, and of how many people."""
        gone = sum(self.records[self.n_large :])
        if not gone or not self.table.names_people:
            return gone, gone
        small = self.table.rows.map_batches(_From(self.n_large), self.table.rows.columns)
        return gone, distinct_people(small, self.table.n_records)

    def parts(self, budget: Allowance) -> list[tuple[PartitionedTable, Allowance]]:
        """Return the strata that are large enough, each with what may be withheld of it."""
        gone, people = self._left_out
        left = Allowance(budget.records - gone, budget.people - people)
        sizes = list(zip(self.records, self.people, strict=True))[: self.n_large]
        return [(self._part(number), some) for number, some in enumerate(divided_allowance(left, sizes))]

    def _part(self, number: int) -> PartitionedTable:
        columns = {name: dtype for name, dtype in self.table.rows.columns.items() if name != _STRATUM}
        rows = self.table.rows.map_batches(_In(number), columns).persist("choosing a stratum")
        counts = counts_of_values(rows, self.table.columns)
        # what is the same for all is nothing that a method looks at
        return replace(
            self.table,
            columns=tuple(
                replace(column, numbers=given, role=Role.INSENSITIVE if column.role is Role.STRATUM else column.role)
                for column, given in zip(self.table.columns, counts, strict=True)
            ),
            rows=rows,
            n_records=self.records[number],
            n_people=self.people[number],
        )

    def promises(self, models: Sequence[PrivacyModel]) -> list[PrivacyModel]:
        """Return the promises as they are kept within a stratum: all records are those of all strata."""
        if not compare_groups(models):
            return list(models)
        large = self.table.rows.map_batches(_Before(self.n_large), self.table.rows.columns)
        sensitive = self.table.sensitive
        counts = people_of_values(replace(self.table, rows=large))
        return among_everybody(models, _everybody(sensitive, counts))

    def labeled(self, nodes: Sequence[tuple[int, ...]]) -> LabeledTable:
        """Return the table in which each stratum is generalized to its node."""
        table, places = self.table, iter(range(len(self.table.quasi_identifiers)))
        labels, by_value, levels = [], [], {}
        for place, column in enumerate(table.columns):
            if column.role is not Role.QUASI_IDENTIFIER:
                labels.append(column.vocabulary)
                by_value.append(np.arange(len(column.vocabulary)))
                continue
            attribute = next(places)
            own = _LevelLabels.of(table, attribute, [node[attribute] for node in nodes])
            labels.append(own.labels)
            by_value.append(None)
            levels[place] = own
        columns = {name: dtype for name, dtype in table.rows.columns.items() if name != _STRATUM}
        made: Columns = {**columns, **{label_name(place): pl.UInt32() for place in levels}, LEFT_OUT: pl.Boolean()}
        rows = table.rows.map_batches(_Label(table.backend.shared(levels), self.n_large), made)
        same = tuple(map(same_values, table.columns, labels))
        return LabeledTable(replace(table, rows=drawn(rows)), tuple(labels), Labeling(tuple(by_value), same))


def _counted(table: PartitionedTable, coded: tuple[str, ...]) -> pl.DataFrame:
    """Count the records and the people of each stratum."""
    kinds: Columns = {name: table.rows.columns[name] for name in coded}
    numbers: Columns = {"records": pl.Int64(), "people": pl.Int64()}
    counting = _CountStrata(coded)
    if table.names_people:
        together = table.rows.shuffle(PERSON, table.n_records, "bringing the records of each person together")
        counted = together.map_partitions(counting.of_partition, {**kinds, **numbers})
    else:
        counted = table.rows.map_batches(counting, {**kinds, **numbers})
    return sums_by_key(counted, coded, "counting strata")


@dataclass(frozen=True)
class _CountStrata:
    coded: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        people = pl.col(PERSON).n_unique() if PERSON in rows.columns else pl.len()
        counted = rows.group_by(self.coded).agg(pl.len().alias("records"), people.alias("people"))
        return counted.with_columns(pl.col("records", "people").cast(pl.Int64))

    def of_partition(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self(rows)


@dataclass(frozen=True)
class _Number:
    coded: tuple[str, ...]
    numbered: Shared[pl.DataFrame]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.join(self.numbered.value, on=list(self.coded), how="left", maintain_order="left")


@dataclass(frozen=True)
class _In:
    number: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col(_STRATUM) == self.number).drop(_STRATUM)


@dataclass(frozen=True)
class _From:
    number: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col(_STRATUM) >= self.number)


@dataclass(frozen=True)
class _Before:
    number: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col(_STRATUM) < self.number)


def _everybody(sensitive: Sequence[CountedColumn], counts: Sequence[np.ndarray]) -> GroupCounts:
    """Return all people as one group."""
    values = []
    for column, given in zip(sensitive, counts, strict=True):
        held = np.flatnonzero(given)
        known = SensitiveValues(column, given)
        values.append(ValueCounts(np.array([0, len(held)]), held.astype(np.int32), given[held], len(given), known))
    return GroupCounts(np.array([max((int(given.sum()) for given in counts), default=0)]), tuple(values))


@dataclass(frozen=True)
class _LevelLabels:
    """The labels of a quasi-identifier that is generalized to another level in each stratum."""

    labels: Vocabulary
    by_level: dict[int, np.ndarray]
    """By level, the label of each value."""
    level_of: np.ndarray
    """By stratum, the level."""

    @classmethod
    def of(cls, table: PartitionedTable, attribute: int, levels: Sequence[int]) -> "_LevelLabels":
        hierarchy = hierarchies_of(table)[attribute]
        used = {level: hierarchy.labels[level] for level in levels}
        one_type = len({vocabulary.values.dtype for vocabulary in used.values()}) == 1
        values = {level: each.values if one_type else each.words for level, each in used.items()}
        labels, _ = Vocabulary.encode(pl.concat(list(values.values())))
        by_level = {level: labels.codes(each)[hierarchy.maps[level]] for level, each in values.items()}
        return cls(labels, by_level, np.array(levels, np.int64))


@dataclass(frozen=True)
class _Label:
    """Labels rows by their stratum; those of strata that are too small are left out."""

    levels: Shared[dict[int, _LevelLabels]]
    n_large: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        strata = rows[_STRATUM].to_numpy()
        large, labeled = strata < self.n_large, []
        for place, own in self.levels.value.items():
            values, labels = rows[coded_name(place)].to_numpy(), np.zeros(rows.height, np.uint32)
            level = own.level_of[np.where(large, strata, 0)]
            for each, by_value in own.by_level.items():
                here = level == each
                labels[here] = by_value[values[here]]
            labeled.append(pl.Series(label_name(place), labels))
        return rows.drop(_STRATUM).with_columns(*labeled, pl.Series(LEFT_OUT, ~large))
