"""A table whose records are not in memory: its columns are here, the codes of its records wherever they are kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
import polars as pl

from shoal.backends import Backend, Partitions
from shoal.data import ClassPeople, Column, CountedColumn, Microdata, Role
from shoal.errors import InternalError

from .persons import PERSON, numbered_persons

__all__ = ["ROW", "WEIGHT", "InMemory", "PartitionedTable", "coded_name", "partitioned"]


WEIGHT = "weight"
"""The column with the sampling weight of each record, where there are weights."""
ROW = "row of the file"
"""The column with the number of the row in the file, where rows are numbered."""


def coded_name(place: int) -> str:
    """Return what the column of codes is called of the column at this place."""
    return f"c{place}"


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedTable:
    """Columns with the number of records that have each value, and the codes of records in partitions."""

    kind: ClassVar[str] = "table"

    columns: tuple[CountedColumn, ...]
    """Those that promises and methods look at or that are published."""
    rows: Partitions
    """A column of codes for each column, named by its place, and the person where people may have several records."""
    n_records: int
    n_people: int
    backend: Backend
    unit: Literal["person", "record"] = "person"
    notes: tuple[str, ...] = ()
    """What was understood of the file, in sentences."""
    states: tuple[str | None, ...] = ()
    """Of a release that states numbers of people: those of each class (None), and of values of these columns in it."""

    def __len__(self) -> int:
        return self.n_records

    def __repr__(self) -> str:
        return f"PartitionedTable({self.n_records:,} records, {', '.join(f'{c.name}: {c.role}' for c in self.columns)})"

    @property
    def stated(self) -> ClassPeople | None:
        """Of which sensitive columns numbers of people are stated; the numbers are where the records are."""
        nothing = np.zeros(0, np.int64)
        return ClassPeople(nothing, {name: nothing for name in self.states if name}) if self.states else None

    def take(self, rows: np.ndarray) -> Self:  # noqa: ARG002 - of all records
        """Refuse: records that are elsewhere have no numbers here."""
        raise InternalError("Records that are not in memory cannot be chosen by their numbers.")

    @property
    def has_repeated_people(self) -> bool:
        """Whether a person may have several records."""
        return self.names_people or bool(self.states)

    @property
    def names_people(self) -> bool:
        """Whether it is known whose each record is, and a person may have several."""
        return PERSON in self.rows.columns

    @property
    def of_records(self) -> Self:
        """The same records, each as if it were of another person."""
        if not self.names_people:
            return self
        columns = {name: dtype for name, dtype in self.rows.columns.items() if name != PERSON}
        return replace(self, rows=self.rows.map_batches(_without_person, columns), n_people=self.n_records)

    @property
    def observable(self) -> tuple[CountedColumn, ...]:
        """The columns in which the records of an equivalence class are equal."""
        return tuple(column for column in self.columns if column.role.is_observable)

    @property
    def quasi_identifiers(self) -> tuple[CountedColumn, ...]:
        """The columns that methods generalize."""
        return tuple(column for column in self.columns if column.role is Role.QUASI_IDENTIFIER)

    @property
    def sensitive(self) -> tuple[CountedColumn, ...]:
        """The sensitive columns."""
        return tuple(column for column in self.columns if column.role is Role.SENSITIVE)

    @property
    def has_observable(self) -> bool:
        """Whether any column is observable."""
        return bool(self.observable)

    @property
    def has_sensitive(self) -> bool:
        """Whether any column is sensitive."""
        return bool(self.sensitive)

    def codes_of(self, columns: Sequence[Column]) -> tuple[str, ...]:
        """Return the names of the columns of codes of some columns."""
        places = {column.name: coded_name(place) for place, column in enumerate(self.columns)}
        return tuple(places[column.name] for column in columns)

    def microdata(self, rows: pl.DataFrame) -> Microdata:
        """Return some of the records, in memory."""
        columns = (column.with_codes(rows[coded_name(place)].to_numpy()) for place, column in enumerate(self.columns))
        return Microdata(tuple(columns), numbered_persons(rows), unit=self.unit)


def _without_person(batch: pl.DataFrame) -> pl.DataFrame:
    return batch.drop(PERSON)


def partitioned(table: Microdata, backend: Backend) -> PartitionedTable:
    """Return a table in memory as one that is not: for tests, which compare the two."""
    looked_at = [column for column in table.columns if column.role.leaves]
    columns = tuple(CountedColumn.of(column, column.counts) for column in looked_at)
    codes = {coded_name(i): pl.Series(column.codes).cast(pl.UInt32) for i, column in enumerate(looked_at)}
    if table.persons is not None:
        codes[PERSON] = pl.Series(table.persons).cast(pl.UInt64)
    if table.weights is not None:
        codes[WEIGHT] = pl.Series(table.weights)
    frame = pl.DataFrame(codes) if codes else pl.DataFrame({"nothing": pl.Series([0] * len(table), dtype=pl.UInt8)})
    rows = backend.scan(InMemory(frame), *frame.columns)
    return PartitionedTable(columns, rows, len(table), table.n_people, backend, table.unit)


@dataclass(frozen=True)
class InMemory:
    """A frame that is scanned in small batches, for tests."""

    frame: pl.DataFrame
    name: str = "the table"

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.frame.height

    @property
    def scan(self) -> pl.LazyFrame:
        """The rows, not read yet."""
        return self.frame.lazy()

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield these columns in batches of rows."""
        yield from self.frame.select(columns).iter_slices(3)
