"""What a reader rules out by an insensitive column, record by record."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from shoal.evidence import Grouping, people_by_class
from shoal.kernels.distinct_keys import distinct_keys

__all__ = ["Clue", "left_by_all"]

_PLACES = 8
"""So many places for classes within groups are afforded for each record."""


@dataclass(frozen=True, eq=False)
class Clue:
    """Who is looked for, by what; a record of another class is not theirs."""

    columns: tuple[str, ...]
    """The insensitive columns that are read."""
    about: tuple[str, ...]
    """The quasi-identifiers that they tell, or that tell them."""
    whole: bool
    """Whether columns tell as a whole, and not some values of them."""
    exact: bool
    """Whether they do so without an exception."""
    of_record: np.ndarray
    """The class of each published record as a reader sees it; −1 where the record may be of any."""
    of_target: np.ndarray
    """The class in which one looks who knows the quasi-identifiers of the person behind each record; −1: in all."""

    def left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out."""
        return left_by_all([self], grouping, persons)


def left_by_all(clues: Sequence[Clue], grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
    """Return for the person behind each record how many people of the group are not ruled out by any of the clues.

    Where a clue does not say to which class a record belongs, the record is taken for a candidate whatever the others
    say: never fewer are told than are left. Clues that do not say where to look for a person rule out nobody.
    """
    groups = people_by_class(grouping.labels, grouping.n_groups, persons)[grouping.labels]
    of_record, of_target = reduce(_both, ((clue.of_record, clue.of_target) for clue in clues))
    anybody = of_record < 0
    width = int(max(of_record.max(), of_target.max())) + 2
    begins = grouping.labels * width + 1  # −1 is a class of its own
    cells, sought, n_cells = _numbered(begins + of_record, begins + of_target, grouping.n_groups * width)
    sizes = people_by_class(cells[~anybody], n_cells, None if persons is None else persons[~anybody])
    whose = None if persons is None else persons[anybody]
    wild = people_by_class(grouping.labels[anybody], grouping.n_groups, whose)
    left = np.minimum(sizes[sought] + wild[grouping.labels], groups)
    return np.where(of_target < 0, groups, left)


def _numbered(one: np.ndarray, other: np.ndarray, span: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Number the values of two arrays alike; they stay as they are where there are not too many to count."""
    if span <= _PLACES * len(one):
        return one, other, span
    labels, found = distinct_keys(np.concatenate([one, other]))
    return labels[: len(one)], labels[len(one) :], found


_Classes = tuple[np.ndarray, np.ndarray]


def _both(one: _Classes, other: _Classes) -> _Classes:
    """Number the pairs of classes, those of records and those of targets alike; −1 where either is."""
    width = int(max(other[0].max(), other[1].max())) + 1
    some = [np.where((a >= 0) & (b >= 0), a.astype(np.int64) * width + b, -1) for a, b in zip(one, other, strict=True)]
    keys = np.concatenate(some)
    labels, _ = distinct_keys(keys)
    labels = np.where(keys < 0, -1, labels)
    return labels[: len(labels) // 2], labels[len(labels) // 2 :]
