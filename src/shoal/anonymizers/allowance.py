"""The suppression limit of a release: how many records may be withheld, and of how many people.

The one does not follow from the other: of 49 records of 5 people, 20 % are 9 records and 1 person, though 9 of 49
records are fewer than 1 of 5.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from shoal.data import Records
from shoal.evidence import people_among

__all__ = ["NOTHING_WITHHELD", "Allowance"]


@dataclass(frozen=True)
class Allowance:
    """At most ``records`` records may be withheld, and at most ``people`` people may lose a record."""

    records: int
    people: int

    @classmethod
    def of_share(cls, records: Records, share: Fraction) -> Self:
        """Return the allowance of this share of the records and of the people they belong to."""
        return cls(int(share * len(records)), int(share * records.n_people))

    @classmethod
    def of_records(cls, records: Records, n: int) -> Self:
        """Return the allowance of ``n`` records and no larger a share of the people."""
        return cls(n, n * records.n_people // max(len(records), 1))

    def covers(self, withheld: np.ndarray, persons: np.ndarray | None) -> bool:
        """Decide whether all records of a mask may be withheld; ``persons`` holds the person of each record."""
        return people_among(withheld) <= self.records and people_among(withheld, persons) <= self.people

    def divided(self, parts: int) -> Self:
        """Return this allowance divided by ``parts``, rounded down."""
        return type(self)(self.records // parts, self.people // parts)


NOTHING_WITHHELD = Allowance(0, 0)
