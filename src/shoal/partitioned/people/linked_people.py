"""The people behind the classes of a release, counted by its ledger and compared with what the release states.

Whose a record is stands in the originals: links lead there from its pseudonym. Neither the release, nor the links, nor
the originals are in memory; each two are brought together where they are.
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import TableSchema
from shoal.partitioned.group_rows import GroupLayout, group_rows
from shoal.partitioned.linked_records import LINKED_ROW, PSEUDONYM, together_by_name
from shoal.partitioned.persons import PERSON, STATED, count_people, named, number_persons
from shoal.partitioned.read_table import written_in
from shoal.partitioned.table import PartitionedTable

__all__ = ["people_are_as_stated"]

_TITLE = "counting people by the ledger"


def people_are_as_stated(
    released: PartitionedTable, links: TabularFile, original: TabularFile, schema: TableSchema
) -> bool:
    """Decide whether the classes of a release, each record of which is linked once, are of as many people as it states.

    The rows of ``released`` have the pseudonyms of records; ``original`` and its ``schema`` are those of the ledger.
    """
    if not schema.person:
        return False
    backend, names = released.backend, schema.person
    scanned = named(backend.scan(original, *names, number=LINKED_ROW), names, written_in(original, schema))
    persons = number_persons(scanned, names, original.rows).persist("numbering people")
    if count_people(persons) == original.rows:  # everybody has one record, so there is nothing to state
        return False
    people = _by_pseudonym(persons, original.rows, links, backend)
    columns: Columns = {**released.rows.columns, PERSON: pl.UInt64()}
    both = _filled(released.rows, columns).union(_filled(people, columns))
    together = together_by_name(both, released.n_records + links.rows, _TITLE)
    joined = together.map_partitions(_JoinPeople(tuple(columns)), columns)
    groups = group_rows(replace(released, rows=joined), sensitive=len(released.states) > 1)
    found = groups.rows.map_partitions(_Compare(groups.layout), _FAULTS).collect(_TITLE)
    return not found["faults"].sum()


def _by_pseudonym(persons: Partitions, n_rows: int, links: TabularFile, backend: Backend) -> Partitions:
    """Return the person behind each pseudonym."""
    columns: Columns = {LINKED_ROW: pl.UInt64(), PERSON: pl.UInt64(), PSEUDONYM: pl.String()}
    linked = backend.scan(links, PSEUDONYM, LINKED_ROW)
    both = _filled(persons, columns).union(_filled(linked, columns))
    together = both.shuffle(LINKED_ROW, n_rows + links.rows, _TITLE)
    return together.map_partitions(_join_links, {PSEUDONYM: pl.String(), PERSON: pl.UInt64()})


def _filled(rows: Partitions, columns: Columns) -> Partitions:
    """Return rows with all of some columns, null where there were none."""
    missing = {name: dtype for name, dtype in columns.items() if name not in rows.columns}
    return rows.map_batches(_Fill(missing, columns), columns)


@dataclass(frozen=True)
class _Fill:
    missing: Columns
    columns: Columns

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        filled = batch.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in self.missing.items())
        return filled.select(pl.col(name).cast(dtype) for name, dtype in self.columns.items())


def _join_links(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    """Return the pseudonyms of a partition, in which all lines of a row of the originals are, with their persons."""
    persons = rows.filter(pl.col(PSEUDONYM).is_null()).select(LINKED_ROW, PERSON)
    linked = rows.filter(pl.col(PSEUDONYM).is_not_null()).select(LINKED_ROW, PSEUDONYM)
    return linked.join(persons, on=LINKED_ROW, how="inner").select(PSEUDONYM, PERSON)


@dataclass(frozen=True)
class _JoinPeople:
    """Returns the records of a partition with their persons; one whose row is not in the originals has none."""

    columns: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        people = rows.filter(pl.col(PERSON).is_not_null()).select(PSEUDONYM, PERSON)
        records = rows.filter(pl.col(PERSON).is_null()).drop(PERSON)
        return records.join(people, on=PSEUDONYM, how="left").select(self.columns)


_FAULTS: Columns = {"faults": pl.Int64()}


@dataclass(frozen=True)
class _Compare:
    """Counts the classes and values of a partition that are of other numbers of people than is stated."""

    layout: GroupLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        faults = rows[PERSON].null_count()
        if rows.height and not faults:
            grouping, counts = self.layout.counted(rows)
            faults = _differing(rows[f"{STATED}0"], counts.sizes[grouping.labels])
            for place, people in enumerate(counts.sensitive):
                # entries lie in the order of their keys, so that of each record is found by halving
                keys = people.groups * people.n_values + people.values
                own = grouping.labels * people.n_values + rows[f"s{place}"].to_numpy()
                faults += _differing(rows[f"{STATED}{place + 1}"], people.counts[np.searchsorted(keys, own)])
        return pl.DataFrame({"faults": [faults]}, schema=dict(_FAULTS))


def _differing(stated: pl.Series, counted: np.ndarray) -> int:
    """Count the records that state something else than was counted."""
    there = stated.is_not_null().to_numpy()
    return int(np.count_nonzero(stated.drop_nulls().to_numpy() != counted[there]))
