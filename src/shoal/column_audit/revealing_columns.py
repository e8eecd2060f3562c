"""Insensitive columns that single people out, by themselves or together.

Columns are *revealing* if more than one person in a hundred shares the combination of their values with fewer than
k − 1 others. More columns reveal more. A column *takes part* if some columns reveal with it that do not without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from shoal.data import Column
from shoal.evidence import equal_codes, equal_tuples, people_among, people_by_class

__all__ = ["TOLERATED", "Objection", "PeopleAlike", "columns_taking_part", "listed", "revealing_columns"]


@dataclass(frozen=True)
class Objection:
    """Columns outside the promises by which people could be found, and by how many."""

    columns: tuple[str, ...]
    """The insensitive columns that take part, in the order of the table: all must be accepted by name."""
    instead: tuple[str, ...]
    """Columns of them that it would be enough to leave out."""
    reason: str
    """A sentence with names of columns and numbers of people, and without a value of a record."""


TOLERATED = 100
"""At most one person in so many may be in a small class."""


class PeopleAlike(Protocol):
    """Counts the people who have values in common with few others, wherever their records are."""

    @property
    def unit(self) -> str:
        """What is counted: ``records`` or ``people``."""
        ...

    @property
    def everybody(self) -> int:
        """How many people there are."""
        ...

    def among_fewer(self, columns: Sequence[Column], k: int) -> int:
        """Count the people who share the combination of their values in columns with fewer than ``k`` − 1 others."""
        ...


def revealing_columns(columns: Sequence[Column], k: int, persons: np.ndarray | None = None) -> Objection | None:
    """Return the columns that take part in singling people out; None if all of them together do not."""
    if not columns or not len(columns[0]):
        return None
    return columns_taking_part(columns, k, _InMemory(len(columns[0]), persons))


def columns_taking_part(columns: Sequence[Column], k: int, people: PeopleAlike) -> Objection | None:
    """Return the columns that take part in singling people out; None if all of them together do not.

    As many columns as go together without revealing are put aside, those with the fewest values first: the others take
    part, and so does each that was put aside and can be exchanged for one of them.
    """
    order = sorted(columns, key=lambda column: (np.count_nonzero(column.counts), column.name))
    if not _reveal(order, k, people):
        return None
    aside: list[Column] = []
    revealing: list[Column] = []
    for column in order:
        (revealing if _reveal([*aside, column], k, people) else aside).append(column)
    exchanged = [
        column
        for column in aside
        if any(not _reveal([*(each for each in aside if each is not column), other], k, people) for other in revealing)
    ]
    partaking = [column for column in columns if column in revealing or column in exchanged]
    return Objection(
        tuple(column.name for column in partaking),
        tuple(column.name for column in partaking if column in revealing),
        _reason(partaking, k, people),
    )


def _reveal(columns: Sequence[Column], k: int, people: PeopleAlike) -> bool:
    """Return whether too many people share their combination of values with too few."""
    return TOLERATED * people.among_fewer(columns, k) > people.everybody


_Numbered = tuple[np.ndarray, int]


@dataclass(frozen=True)
class _InMemory:
    """Records in memory."""

    n_records: int
    persons: np.ndarray | None
    _remembered: dict[tuple[str, ...], _Numbered] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        return "records" if self.persons is None else "people"

    @property
    def everybody(self) -> int:
        return people_among(np.ones(self.n_records, np.bool_), self.persons)

    def among_fewer(self, columns: Sequence[Column], k: int) -> int:
        labels, n_labels = self._combinations(columns)
        alike = people_by_class(labels, n_labels, self.persons)[labels]
        return people_among(alike < k, self.persons)

    def _combinations(self, columns: Sequence[Column]) -> _Numbered:
        """Number the combinations of values; those of all columns but the last are often known already."""
        names = tuple(column.name for column in columns)
        before = self._remembered.get(names[:-1])
        if before is None:
            numbered = equal_tuples(columns, self.n_records)
        else:
            numbered = equal_codes([before, (columns[-1].codes, len(columns[-1].vocabulary))], self.n_records)
        for known in [each for each in self._remembered if each != names[:-1]]:
            del self._remembered[known]
        self._remembered[names] = numbered
        return numbered


def _reason(columns: Sequence[Column], k: int, people: PeopleAlike) -> str:
    alone, few = people.among_fewer(columns, 2), people.among_fewer(columns, k)
    everybody = f"{people.everybody:,} {people.unit}"
    below = f", and {few:,} share it with fewer than {k - 1} others" if k > 2 else ""
    if len(columns) == 1:
        return (
            f"The insensitive column {columns[0].name!r} singles people out: {alone:,} of {everybody} carry a value "
            f"that nobody else carries{below}."
        )
    return (
        f"The insensitive columns {listed([column.name for column in columns])} together single people out: {alone:,} "
        f"of {everybody} carry a combination of values that nobody else carries{below}."
    )


def listed(names: Sequence[str]) -> str:
    """Return quoted names, separated by commas and a final *and*."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
