"""A promise and the verdict on it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.data import Records
from shoal.evidence import Evidence, Need
from shoal.wording import Registry, Worded

from .caveat import Caveat

__all__ = ["PrivacyModel", "Verdict", "promises"]


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
    """Where it fails: a mask over groups, or over records for promises on neighbourhoods and partitions."""
    why: tuple[str, ...] = ()
    """Why it does not hold, in sentences; none of them tells a value of a record."""
    caveat: Caveat | None = None
    """What the promise does not say of the records it was judged on."""


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
        """How many records there must be for it to be possible at all."""

    @property
    @abstractmethod
    def meaning(self) -> str:
        """What it means for a person in the data, and against whom it does not help: for reports and certificates."""

    def caveat(self, records: Records) -> Caveat | None:  # noqa: ARG002
        """Return what the promise does not say of these records, though its wording might be taken for it."""
        return None

    @abstractmethod
    def judge(self, evidence: Evidence) -> Verdict:
        """Decide exactly whether it holds."""


promises: Registry[PrivacyModel] = Registry("promise")
