"""A table that is not in memory divided into its strata: each is a table of the rows that are in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from shoal.anonymizers import Allowance
from shoal.anonymizers.strata import among_everybody, divided_allowance
from shoal.backends import Columns, Partitions, Shared
from shoal.data import Role
from shoal.errors import PromiseNotKept
from shoal.models import PrivacyModel
from shoal.partitioned.everybody import as_one_group
from shoal.partitioned.label_uses import counts_of_values
from shoal.partitioned.node_judging import compare_groups
from shoal.partitioned.people.values import people_of_values
from shoal.partitioned.persons import PERSON, distinct_people, persons_together
from shoal.partitioned.sums import sums_by_key
from shoal.partitioned.table import PartitionedTable

__all__ = ["STRATUM", "DividedTable", "has_strata"]

STRATUM = "number of the stratum"
"""The column with the number of the stratum of each record."""


def has_strata(table: PartitionedTable) -> bool:
    """Decide whether a table has strata."""
    return any(column.role is Role.STRATUM for column in table.columns)


@dataclass(frozen=True)
class DividedTable:
    """A table divided into strata, of which some may be too small to be published."""

    table: PartitionedTable
    """Each row has the number of its stratum: those that are large enough first."""
    records: tuple[int, ...]
    """By stratum, how many records it has."""
    people: tuple[int, ...]
    n_large: int

    @classmethod
    def of(cls, table: PartitionedTable, models: Sequence[PrivacyModel], budget: Allowance) -> "DividedTable":
        """Divide a table; raise where strata with too few people have more records than may be withheld."""
        coded = table.codes_of([column for column in table.columns if column.role is Role.STRATUM])
        found = _counted(table, coded)
        fewest = max((model.fewest_records for model in models), default=1)
        found = found.with_columns((pl.col("people") >= fewest).alias("large")).sort("large", descending=True)
        numbered = found.select(*coded, pl.int_range(pl.len(), dtype=pl.UInt32).alias(STRATUM))
        rows = table.rows.map_batches(
            _Number(coded, table.backend.shared(numbered)), {**table.rows.columns, STRATUM: pl.UInt32()}
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
        return gone, distinct_people(self.too_small, self.table.n_records)

    @property
    def too_small(self) -> Partitions:
        """The rows of the strata that are too small."""
        return self.table.rows.map_batches(_From(self.n_large), self.table.rows.columns)

    def parts(self, budget: Allowance) -> list[tuple[PartitionedTable, Allowance]]:
        """Return the strata that are large enough, each with what may be withheld of it."""
        gone, people = self._left_out
        left = Allowance(budget.records - gone, budget.people - people)
        sizes = list(zip(self.records, self.people, strict=True))[: self.n_large]
        return [(self._part(number), some) for number, some in enumerate(divided_allowance(left, sizes))]

    def _part(self, number: int) -> PartitionedTable:
        columns = {name: dtype for name, dtype in self.table.rows.columns.items() if name != STRATUM}
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
        return among_everybody(models, as_one_group(sensitive, counts, sum(self.people)))


def _counted(table: PartitionedTable, coded: tuple[str, ...]) -> pl.DataFrame:
    """Count the records and the people of each stratum."""
    kinds: Columns = {name: table.rows.columns[name] for name in coded}
    numbers: Columns = {"records": pl.Int64(), "people": pl.Int64()}
    counting = _CountStrata(coded)
    if table.names_people:
        together = persons_together(table.rows, table.n_records)
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
        return rows.filter(pl.col(STRATUM) == self.number).drop(STRATUM)


@dataclass(frozen=True)
class _From:
    number: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col(STRATUM) >= self.number)


@dataclass(frozen=True)
class _Before:
    number: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col(STRATUM) < self.number)
