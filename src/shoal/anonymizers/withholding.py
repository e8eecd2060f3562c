"""How many records a method may leave out of a table, and of how many people."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from shoal.data import Column, Microdata, Records
from shoal.evidence import people_among

from .base import Recoding

__all__ = ["Allowance", "Removal", "Spare", "chosen_removals", "with_left_out"]


class Spare(int):
    """The number of records that may be withheld; it also says how many people may lose a record at most.

    The one does not follow from the other: of 49 records of 5 people, 20 % are 9 records and 1 person, though 9 of 49
    records are fewer than 1 of 5.
    """

    people: int

    @classmethod
    def of(cls, records: Records, share: Fraction) -> Self:
        """Return what a share of the records and of the people they are of comes to."""
        spare = cls(share * len(records))
        spare.people = int(share * records.n_people)
        return spare


@dataclass(frozen=True)
class Allowance:
    """At most so many records may be withheld, and at most so many people may lose a record."""

    records: int
    people: int

    @classmethod
    def of(cls, table: Microdata, spare: int) -> Self:
        """Return what may be withheld of a table of which there are so many records to spare.

        Where only the number of records is said, the share of the people is no larger than that of the records.
        """
        if table.persons is None:
            return cls(spare, spare)
        if isinstance(spare, Spare):
            return cls(spare, spare.people)
        return cls(spare, spare * table.n_people // max(len(table), 1))

    def covers(self, withheld: np.ndarray, persons: np.ndarray | None) -> bool:
        """Tell whether the records of a mask may all be withheld; ``persons`` says whose they are."""
        return people_among(withheld) <= self.records and people_among(withheld, persons) <= self.people


@dataclass(frozen=True, eq=False)
class Removal:
    """Records of one group, and what is saved by leaving them out after those of the group that came before."""

    rows: np.ndarray
    saved: float

    @property
    def rate(self) -> float:
        """What is saved a record."""
        return self.saved / len(self.rows)


def chosen_removals(
    group_offsets: Sequence[Sequence[Removal]], allowance: Allowance, persons: np.ndarray | None
) -> np.ndarray:
    """Return the rows to leave out, those first that save most a record, as far as is allowed.

    Removals of a group are taken in their order; ``persons`` says whose the rows are.
    """
    waiting = [(-each[0].rate, group, 0) for group, each in enumerate(group_offsets) if each]
    heapq.heapify(waiting)
    rows: list[np.ndarray] = []
    n_rows, losing = 0, set[int]()
    while waiting:
        _, group, step = heapq.heappop(waiting)
        removal = group_offsets[group][step]
        also = set() if persons is None else set(persons[removal.rows].tolist()) - losing
        if n_rows + len(removal.rows) > allowance.records or len(losing) + len(also) > allowance.people:
            continue  # nothing after it in this group either
        rows.append(removal.rows)
        n_rows += len(removal.rows)
        losing |= also
        if step + 1 < len(group_offsets[group]):
            heapq.heappush(waiting, (-group_offsets[group][step + 1].rate, group, step + 1))
    return np.concatenate(rows) if rows else np.zeros(0, np.int64)


def with_left_out(table: Microdata, rows: np.ndarray, published: Microdata) -> Recoding:
    """Return the recoding in which these ``rows`` of the table are ``told`` and all others are withheld."""
    if len(rows) == len(table):
        return Recoding(published)
    withheld = np.ones(len(table), bool)
    withheld[rows] = False
    columns = tuple(_spread(column, rows, len(table)) for column in published.quasi_identifiers)
    return Recoding(table.replaced(columns), withheld=withheld)


def _spread(column: Column, rows: np.ndarray, n: int) -> Column:
    """Return the column of all records; how those that are left out are told does not matter."""
    codes = np.full(n, column.codes[0], np.int32)
    codes[rows] = column.codes
    return column.recoded(column.vocabulary, codes)
