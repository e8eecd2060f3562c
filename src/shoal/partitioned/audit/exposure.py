"""How many people rules leave with fewer than k candidates: decided group by group, where the groups are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.column_audit.audited_records import Exposed
from shoal.column_audit.audited_table import candidates_left
from shoal.column_audit.rules import ClassRule, Rule
from shoal.evidence import people_by_class
from shoal.partitioned.kept_rows import RowsOfGroups
from shoal.partitioned.persons import PERSON

from .release_rows import Reading, ReleaseRows, person_codes

__all__ = ["exposed_people", "placed_records"]

_PLACED: Columns = {"rule": pl.UInt32(), "placed": pl.Int64(), "highest": pl.Int64()}
_EXPOSED: Columns = {"rules": pl.UInt32(), "below": pl.Int64(), "alone": pl.Int64()}
_PEOPLE: Columns = {"rules": pl.UInt32(), PERSON: pl.UInt64(), "alone": pl.Boolean()}


def placed_records(
    rows: Partitions, reading: Shared[Reading], rules: Shared[tuple[ClassRule, ...]]
) -> list[tuple[int, int]]:
    """Return for each rule how many records and targets it gives classes to, and the highest class of a record."""
    found = rows.map_batches(_Place(reading, rules), _PLACED).collect("auditing columns")
    summed = found.group_by("rule").agg(pl.col("placed").sum(), pl.col("highest").max()).sort("rule")
    return [(placed, highest) for _, placed, highest in summed.iter_rows()]


@dataclass(frozen=True)
class _Place:
    reading: Shared[Reading]
    rules: Shared[tuple[ClassRule, ...]]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        rows = ReleaseRows(self.reading.value, batch)
        placed = [(i, *rule.on(rows).placed) for i, rule in enumerate(self.rules.value)]
        return pl.DataFrame(placed, schema=dict(_PLACED), orient="row")


def exposed_people(
    rows: Partitions,
    backend: Backend,
    reading: Shared[Reading],
    grouped: Shared[RowsOfGroups],
    combinations: Sequence[Sequence[Rule]],
    k: int,
    n_records: int,
) -> list[Exposed]:
    """Count for each combination of rules the people with fewer than ``k`` candidates, of those who have ``k``."""
    exposing = _Expose(reading, grouped, backend.shared(tuple(map(tuple, combinations))), k)
    if PERSON in rows.columns:
        people = rows.map_partitions(exposing.people, _PEOPLE)
        together = people.shuffle(PERSON, n_records * len(combinations), "auditing columns")
        counted = together.map_partitions(_count_people, _EXPOSED)
    else:
        counted = rows.map_partitions(exposing.numbers, _EXPOSED)
    found = counted.collect("auditing columns").group_by("rules").agg(pl.col("below", "alone").sum())
    by_rules = {rules: Exposed(below, alone) for rules, below, alone in found.iter_rows()}
    return [by_rules.get(i, Exposed()) for i in range(len(combinations))]


@dataclass(frozen=True)
class _Expose:
    reading: Shared[Reading]
    grouped: Shared[RowsOfGroups]
    combinations: Shared[tuple[tuple[Rule, ...], ...]]
    k: int

    def numbers(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return how many rows of a partition are exposed."""
        found = [
            (i, int(np.count_nonzero(below)), int(np.count_nonzero(alone))) for i, below, alone in self._exposed(rows)
        ]
        return pl.DataFrame(found, schema=dict(_EXPOSED), orient="row")

    def people(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return whose rows of a partition are exposed."""
        found = [
            pl.DataFrame([rows[PERSON], pl.Series("alone", alone)])
            .filter(pl.Series(below))
            .group_by(PERSON)
            .agg(pl.col("alone").any())
            .select(pl.lit(i, pl.UInt32).alias("rules"), PERSON, "alone")
            for i, below, alone in self._exposed(rows)
        ]
        return pl.concat([pl.DataFrame(schema=dict(_PEOPLE)), *found])

    def _exposed(self, rows: pl.DataFrame) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Return by combination the masks of the rows with fewer than k candidates, and of those with one."""
        if not rows.height:
            return []
        grouping, persons = self.grouped.value.grouping(rows), person_codes(rows)
        sizes = people_by_class(grouping.labels, grouping.n_groups, persons)[grouping.labels]
        read, masks = ReleaseRows(self.reading.value, rows), []
        for i, rules in enumerate(self.combinations.value):
            if rules:
                left = candidates_left(rules, read, grouping, persons)
                below = (sizes >= self.k) & (left < self.k)
                masks.append((i, below, below & (left == 1)))
        return masks


def _count_people(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    people = rows.group_by("rules", PERSON).agg(pl.col("alone").any())
    counted = people.group_by("rules").agg(pl.len().alias("below"), pl.col("alone").sum())
    return counted.select(pl.col(name).cast(dtype) for name, dtype in _EXPOSED.items())
