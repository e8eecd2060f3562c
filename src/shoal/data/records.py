"""What every kind of data has in common."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np

__all__ = ["ClassPeople", "Records", "kind_in_words", "kinds_in_words"]


@dataclass(frozen=True, eq=False, repr=False)
class ClassPeople:
    """Numbers of different people, record by record, as the publisher states them.

    A reader cannot count people: which records are of one person is not published. How many people there are in all is
    not stated either: beside the numbers of classes it would say how many people are in several of them.
    """

    in_class: np.ndarray
    """For each record, how many different people its equivalence class is of: int64."""
    with_value: Mapping[str, np.ndarray] = field(default_factory=dict)
    """By sensitive column, for each record how many people of its class have its value; empty where not stated."""

    def __repr__(self) -> str:
        return f"ClassPeople({len(self.in_class):,} records)"

    @property
    def at_least(self) -> int:
        """How many people there are at least: those of the largest class."""
        return int(self.in_class.max(initial=0))

    def take(self, rows: np.ndarray) -> Self:
        """Return what is stated about these records."""
        of_values = {name: people[rows] for name, people in self.with_value.items()}
        return replace(self, in_class=self.in_class[rows], with_value=of_values)


@runtime_checkable
class Records(Protocol):
    """Immutable records of people, each with an observable and a sensitive part."""

    kind: ClassVar[str]
    """``ratings``, ``table`` or ``survey``."""

    def __len__(self) -> int: ...

    @property
    def n_people(self) -> int:
        """How many people the records are of."""
        ...

    @property
    def stated(self) -> ClassPeople | None:
        """Of a published table in which people may have several records: how many people each class is of."""
        ...

    def take(self, rows: np.ndarray) -> Self:
        """Return these records in this order."""
        ...

    @property
    def has_observable(self) -> bool:
        """Whether there is anything in the records that an attacker may know."""
        ...

    @property
    def has_sensitive(self) -> bool:
        """Whether anything in the records is declared sensitive."""
        ...


_ONE = {"survey": "a survey", "table": "a table"}
_SEVERAL = {"survey": "surveys", "table": "tables"}


def kind_in_words(kind: str) -> str:
    """Return what records of a kind are, for sentences: ``a table``, ``ratings``."""
    return _ONE.get(kind, kind)


def kinds_in_words(kinds: Collection[str]) -> str:
    """Return what there are of some kinds, for sentences: ``surveys and tables``."""
    return " and ".join(_SEVERAL.get(kind, kind) for kind in sorted(kinds))
