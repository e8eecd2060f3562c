"""Insensitive columns that single people out, by themselves or together.

Columns are *revealing* if more than one person in a hundred shares the combination of their values with fewer than
k − 1 others. More columns reveal more. A column *takes part* if some columns reveal with it that do not without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Column
from shoal.evidence import equal_codes, equal_tuples, people_among, people_by_class

__all__ = ["TOLERATED", "Objection", "listed", "revealing_columns"]


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


def revealing_columns(columns: Sequence[Column], k: int, persons: np.ndarray | None = None) -> Objection | None:
    """Return the columns that take part in singling people out; None if all of them together do not.

    As many columns as go together without revealing are put aside, those with the fewest values first: the others take
    part, and so does each that was put aside and can be exchanged for one of them.
    """
    if not columns or not len(columns[0]):
        return None
    counting = _Counting(k, persons)
    order = sorted(columns, key=lambda column: (np.count_nonzero(column.counts), column.name))
    if not counting.reveal(order):
        return None
    aside: list[Column] = []
    revealing: list[Column] = []
    so_far = equal_tuples(aside, len(order[0]))  # the combinations of the columns put aside
    for column in order:
        together = equal_codes([so_far, (column.codes, len(column.vocabulary))], len(column))
        if counting.reveal_as(*together):
            revealing.append(column)
        else:
            aside.append(column)
            so_far = together
    exchanged = [
        column
        for column in aside
        if any(not counting.reveal([*(each for each in aside if each is not column), other]) for other in revealing)
    ]
    partaking = [column for column in columns if column in revealing or column in exchanged]
    return Objection(
        tuple(column.name for column in partaking),
        tuple(column.name for column in partaking if column in revealing),
        _reason(partaking, counting),
    )


@dataclass(frozen=True)
class _Counting:
    k: int
    persons: np.ndarray | None

    def alike(self, columns: Sequence[Column]) -> np.ndarray:
        """Return for each record how many people have its combination of values."""
        labels, found = equal_tuples(columns, len(columns[0]))
        return people_by_class(labels, found, self.persons)[labels]

    def reveal(self, columns: Sequence[Column]) -> bool:
        return self.reveal_as(*equal_tuples(columns, len(columns[0])))

    def reveal_as(self, labels: np.ndarray, n_labels: int) -> bool:
        """Return whether too many people share their numbered combination of values with too few."""
        everybody = self.people(np.ones(len(labels), np.bool_))
        alike = people_by_class(labels, n_labels, self.persons)[labels]
        return TOLERATED * self.people(alike < self.k) > everybody

    def people(self, records: np.ndarray) -> int:
        return people_among(records, self.persons)


def _reason(columns: Sequence[Column], counting: _Counting) -> str:
    alike = counting.alike(columns)
    alone, few = counting.people(alike == 1), counting.people(alike < counting.k)
    unit = "records" if counting.persons is None else "people"
    everybody = f"{counting.people(alike > 0):,} {unit}"
    below = f", and {few:,} share it with fewer than {counting.k - 1} others" if counting.k > 2 else ""
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
