"""How many records a method may leave out of a table, and of how many people."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.data import Microdata
from shoal.evidence import people_among

from .spare import Spare

__all__ = ["Allowance"]


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
