"""The records of a partition as the audit reads them: what is published of each, and what it was made of.

A row has the codes of its original values, what was drawn for it, and where people have several records its person and
whether it is the one by which its person is represented where everybody counts once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.column_audit.audited_records import TooManyCombinationsError
from shoal.partitioned.persons import PERSON, persons_together
from shoal.partitioned.write_parts import DRAWN

__all__ = [
    "ONE_EACH",
    "Reading",
    "ReleaseRows",
    "collected",
    "keys_of",
    "person_codes",
    "represented",
    "sought_name",
]

ONE_EACH = "one of everybody's"
JOINT = "joint"


def sought_name(columns: Sequence[str], about: Sequence[str]) -> str:
    """Return the name of the column with what is sought in columns by several quasi-identifiers."""
    return f"sought in {columns!r} by {about!r}"


@dataclass(frozen=True)
class Reading:
    """How rows are read."""

    places: Mapping[str, str]
    """The column of codes of each column of the table."""
    published: Mapping[str, np.ndarray]
    """The published code of each value of an insensitive column."""
    joint: Mapping[tuple[str, ...], pl.DataFrame] = field(default_factory=dict)
    """The code of each combination of values of several insensitive columns."""

    def coded(self, names: Sequence[str]) -> list[str]:
        """Return the columns of codes of some columns of the table."""
        return [self.places[name] for name in names]


@dataclass(frozen=True)
class ReleaseRows:
    """Some rows."""

    reading: Reading
    rows: pl.DataFrame

    def __len__(self) -> int:
        return self.rows.height

    def read(self, columns: tuple[str, ...]) -> np.ndarray:
        """Return the code of what is read in an insensitive column, or in several together."""
        coded = self.reading.coded(columns)
        if len(columns) == 1:
            return self.reading.published[columns[0]][self.rows[coded[0]].to_numpy()]
        found = self.rows.select(coded).join(self.reading.joint[columns], coded, "left", maintain_order="left")
        return found[JOINT].to_numpy()

    def known(self, name: str) -> np.ndarray:
        """Return the code of the original value of a quasi-identifier."""
        return self.rows[self.reading.places[name]].to_numpy()

    def sought(self, columns: tuple[str, ...], about: tuple[str, ...]) -> np.ndarray:
        """Return the code to look for in columns, by several quasi-identifiers that determine it; −1: any."""
        return self.rows[sought_name(columns, about)].to_numpy()


def person_codes(rows: pl.DataFrame) -> np.ndarray | None:
    """Return the person of each row, numbered from 0 on; None where each is of another."""
    if PERSON not in rows.columns:
        return None
    return rows[PERSON].rank("dense").to_numpy().astype(np.int64) - 1


def represented(rows: Partitions, n_rows: int) -> Partitions:
    """Return rows in partitions by person, and mark the row of each person for which the lowest number was drawn."""
    together = persons_together(rows, n_rows)
    return together.map_partitions(_Represent(), {**rows.columns, ONE_EACH: pl.Boolean()}).persist("choosing records")


class _Represent:
    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        rows = rows.sort(DRAWN, maintain_order=True)
        return rows.with_columns(pl.col(PERSON).is_first_distinct().alias(ONE_EACH))


_MIXER = np.uint64(0xFF51AFD7ED558CCD)


def keys_of(rows: pl.DataFrame, names: Sequence[str]) -> pl.Series:
    """Return a number that rows with equal codes have in common: which others have it too does not matter."""
    mixed = np.zeros(rows.height, np.uint64)
    for name in names:
        mixed = (mixed ^ rows[name].to_numpy().astype(np.uint64)) * _MIXER
        mixed ^= mixed >> np.uint64(32)
    return pl.Series(mixed)


def collected(rows: Partitions, most: int, title: str) -> pl.DataFrame:
    """Bring rows here, or raise where there are too many."""
    rows = rows.persist(title)
    if rows.count(title) > most:
        raise TooManyCombinationsError
    return rows.collect(title)


NUMBER: Columns = {"number": pl.Int64()}
