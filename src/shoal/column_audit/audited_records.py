"""What the audit asks of a release beside its originals, wherever the records are: numbers, and never records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from shoal.data import Column
from shoal.evidence import PairCounts

from .known_column import KnownColumn
from .rules import AuditedRows, ClassRule, Rule, View

__all__ = ["SEARCHED", "AuditedRecords", "CountedPairs", "Exposed", "Sample", "TooManyCombinationsError"]

SEARCHED = 20_000
"""The largest number of people on whom pairs of quasi-identifiers are tried; what is found is judged on all."""


class TooManyCombinationsError(Exception):
    """There are more combinations of values than can be looked at where the audit is made."""


@dataclass(frozen=True, eq=False)
class CountedPairs:
    """How often what is read and what is known occur together."""

    learned: tuple[PairCounts, ...]
    """Of all records, where a person counts once a pair; and where people have several, also of one of everybody's, so
    that nobody is more than one exception."""

    @property
    def everything(self) -> PairCounts:
        """Every pair that occurs in the records."""
        return self.learned[0]


@dataclass(frozen=True)
class Exposed:
    """The number of people with fewer than k candidates left, and of those with their own record only."""

    below: int = 0
    alone: int = 0


class Sample(AuditedRows, Protocol):
    """Some records, at most one a person, in random order."""

    def __len__(self) -> int: ...


class AuditedRecords(Protocol):
    """A release beside its originals."""

    @property
    def hidden(self) -> str:
        """What a column that others may know, and that is not published as it is, is called in sentences."""
        ...

    @property
    def unit(self) -> str:
        """What is counted: ``records`` or ``people``."""
        ...

    @property
    def everybody(self) -> int:
        """How many people there are."""
        ...

    @property
    def columns(self) -> Sequence[Column]:
        """The insensitive columns: of each, the values that are published."""
        ...

    @property
    def known(self) -> Sequence[KnownColumn]:
        """The original quasi-identifiers."""
        ...

    @property
    def generalized(self) -> Sequence[KnownColumn]:
        """Those of which some published label stands for several values."""
        ...

    @property
    def sample(self) -> Sample:
        """Records of at most 20,000 people."""
        ...

    def n_read(self, columns: tuple[str, ...]) -> int:
        """Return how many different values are read in a column, or combinations of values in several."""
        ...

    def pairs(self, columns: tuple[str, ...], known: KnownColumn) -> CountedPairs:
        """Count what is read in columns beside a generalized quasi-identifier."""
        ...

    def pairs_within(self, columns: tuple[str, ...], of_stratum: View, inside: View) -> PairCounts:
        """Count what is read beside the labels inside strata, in one record a person.

        The first value of a pair is the number of the stratum times that of labels inside, and the label.
        """
        ...

    def determined_by(self, columns: tuple[str, ...], names: tuple[str, ...]) -> bool | None:
        """Decide whether several quasi-identifiers determine what is read as a whole: True if without exception.

        None: they do not. If they do, rows say what they determine. One record a person is looked at, and exceptions
        are looked for in all.
        """
        ...

    def placed(self, rules: Sequence[ClassRule]) -> list[tuple[int, int]]:
        """Return for each rule how many records and targets it gives classes to, and the highest class of a record."""
        ...

    def exposed(self, combinations: Sequence[Sequence[Rule]], k: int) -> list[Exposed]:
        """Count for each combination of rules the people whom it leaves with fewer than ``k`` candidates.

        Only people count who have ``k`` without it. Several rules are all class rules.
        """
        ...
