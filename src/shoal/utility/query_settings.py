"""How many random COUNT queries are asked, of how many attributes, how much they select, and how errors count."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.errors import WordingError
from shoal.wording import Worded

__all__ = ["Queries"]


@dataclass(frozen=True)
class Queries(Worded):
    """Random COUNT queries, written ``width=2,selectivity=0.05,count=100``.

    A comparison carries them, ``Comparison(…, queries=Queries(width=2))``, and so an experiment hands them to
    ``recoded(records, models, method, queries=Queries(width=2))``. The papers on survey ratings ask 100 queries and say
    neither width nor selectivity.
    """

    name: ClassVar[str] = "queries"

    width: int = 3
    """How many non-sensitive attributes a query asks about (w); all of them where there are fewer."""
    selectivity: Fraction = Fraction(1, 10)
    """The share of the records that a query would select if values were spread evenly (s)."""
    count: int = 100
    sanity: Fraction = Fraction(1, 1000)
    """The share of the records, though at least one, that an error is divided by where the answer is smaller.

    0: by the answer alone, as in the papers on survey ratings, and queries whose answer is 0 are left out.
    """

    def __post_init__(self) -> None:
        if self.width < 1:
            raise WordingError("queries: width must be at least 1.")
        if not 0 < self.selectivity <= 1:
            raise WordingError("queries: selectivity must be above 0 and at most 1.")
        if self.count < 1:
            raise WordingError("queries: count must be at least 1.")
        if not 0 <= self.sanity <= 1:
            raise WordingError("queries: sanity must be from 0 to 1.")
