"""How many people the equivalence classes of a published table are of."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

__all__ = ["ClassPeople"]


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
        """Return what is stated of these records."""
        of_values = {name: people[rows] for name, people in self.with_value.items()}
        return replace(self, in_class=self.in_class[rows], with_value=of_values)
