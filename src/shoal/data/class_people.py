"""How many people the equivalence classes of a published table are of."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

__all__ = ["ClassPeople"]


@dataclass(frozen=True, eq=False, repr=False)
class ClassPeople:
    """Numbers of different people, record by record, as the publisher states them.

    A reader cannot count people: which records are of one person is not published. What is stated is at most the number
    of records, so a false statement is bounded by what the records themselves show.
    """

    total: int
    """How many different people all records are of."""
    in_class: np.ndarray
    """For each record, how many different people its equivalence class is of: int64."""
    with_value: Mapping[str, np.ndarray] = field(default_factory=dict)
    """By sensitive column, for each record how many people of its class have its value; empty where not stated."""

    def __repr__(self) -> str:
        return f"ClassPeople({self.total:,} people)"

    def take(self, rows: np.ndarray) -> Self:
        """Return what is stated of these records."""
        of_values = {name: people[rows] for name, people in self.with_value.items()}
        return replace(self, in_class=self.in_class[rows], with_value=of_values)
