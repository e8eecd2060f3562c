"""A promise and the verdict on it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.data import Records
from shoal.evidence import Evidence, GroupCounts, Need
from shoal.wording import Registry, Worded

__all__ = ["Caveat", "PrivacyModel", "Verdict", "at_least", "at_most", "promises"]


@dataclass(frozen=True)
class Caveat:
    """A sentence that everybody who reads the promise must read, too; it tells no value of a record."""

    sentence: str
    vacuous: bool
    """Whether the promise asks nothing of these records, so that it is published only if the owner accepts that."""


@dataclass(frozen=True)
class Verdict:
    """Whether a promise holds, how far it is reached, and where it fails."""

    promise: str
    """The promise in words."""
    holds: bool
    level: Mapping[str, int | float]
    """The best parameters the data meet, by name."""
    violations: int
    """How many records break the promise."""
    violating: np.ndarray = field(repr=False, compare=False)
    """Where it fails: a mask over groups, or over records for promises on neighborhoods and partitions."""
    why: tuple[str, ...] = ()
    """Why it does not hold, in sentences; none of them tells a value of a record."""
    caveat: Caveat | None = None
    """What the promise does not say of the records it was judged on."""

    def __post_init__(self) -> None:
        for key, reached in self.level.items():
            # a fraction or a number of NumPy's could not be written to a certificate or as JSON
            if not isinstance(reached, int | float) or isinstance(reached, bool):
                raise TypeError(f"the level {key!r} of {self.promise!r} is neither int nor float")


@dataclass(frozen=True)
class PrivacyModel(Worded, ABC):
    """A promise: frozen, comparable, and written as one wording."""

    kinds: ClassVar[frozenset[str]]
    """The kinds of records it can be made on."""
    merge_safe: ClassVar[bool]
    """Whether joining two groups that keep it always gives a group that keeps it."""

    @property
    def grow_safe(self) -> bool:
        """Whether adding records to a group that keeps it, whatever they are, always gives a group that keeps it."""
        return False

    @property
    def needs_sensitive(self) -> bool:
        """Whether it speaks of sensitive values."""
        return self.need.sensitive

    @property
    @abstractmethod
    def need(self) -> Need:
        """The evidence it is judged on."""

    @property
    @abstractmethod
    def fewest_records(self) -> int:
        """How many records there must be for it to be possible at all; where it is judged on groups, in every group."""

    @property
    @abstractmethod
    def meaning(self) -> str:
        """What it means for a person in the data, and against whom it does not help: for reports and certificates."""

    def caveat(self, records: Records) -> Caveat | None:  # noqa: ARG002
        """Return what the promise does not say of these records, though its wording might be taken for it."""
        return None

    def hopeless(self, evidence: Evidence) -> np.ndarray:
        """Return the mask of the groups that break it, and of which every part breaks it too, however they are split.

        A search of ever finer groups need not go on from them. A promise may leave out some, never name too many.
        """
        violating = self.judge(evidence).violating
        return violating if self.grow_safe else np.zeros_like(violating)

    def fewest_broken(self, evidence: GroupCounts) -> np.ndarray:
        """Return for each group how many of its records are in parts that break it, at least, however it is split.

        Parts are judged as groups of the same records as a whole, of which nobody has more than one. A promise may
        return less, never too many.
        """
        return np.where(self.hopeless(evidence), evidence.sizes, 0)

    @abstractmethod
    def judge(self, evidence: Evidence) -> Verdict:
        """Decide exactly whether it holds."""


promises: Registry[PrivacyModel] = Registry("promise", "shoal.models")


_UNIT = 10**6


def at_most(number: Fraction) -> float:
    """Round down: for levels of which more is better."""
    return number.numerator * _UNIT // number.denominator / _UNIT


def at_least(number: Fraction) -> float:
    """Round up: for levels of which less is better."""
    return -(-number.numerator * _UNIT // number.denominator) / _UNIT
