"""How many records may be withheld, and of how many people."""

from fractions import Fraction
from typing import Self

from shoal.data import Records

__all__ = ["Spare"]


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
