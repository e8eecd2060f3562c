"""Groups of records on their way down the hierarchies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels.segments import reordered

__all__ = ["LabelledGroups"]


@dataclass(frozen=True, eq=False)
class LabelledGroups:
    """Records by group; each attribute is told at the lowest level at which all records of a group are told alike."""

    rows: np.ndarray
    begins: np.ndarray
    """Group g is ``rows[begins[g]:begins[g + 1]]``."""
    closed: np.ndarray
    """By group and attribute, whether these records were pushed back there."""
    owners: np.ndarray
    """What each group descends from, where that is to be known."""

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def sizes(self) -> np.ndarray:
        """How many records each group has."""
        return np.diff(self.begins)

    @property
    def group_of(self) -> np.ndarray:
        """The group of each place."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @classmethod
    def joined(cls, several: Sequence["LabelledGroups"]) -> Self:
        """Put groups one after another."""
        sizes = np.concatenate([each.sizes for each in several])
        return cls(
            np.concatenate([each.rows for each in several]),
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([each.closed for each in several]),
            np.concatenate([each.owners for each in several]),
        )

    def take(self, chosen: np.ndarray) -> "LabelledGroups":
        """Give the groups of a mask alone."""
        rows = self.rows[np.repeat(chosen, self.sizes)]
        begins = np.concatenate([[0], np.cumsum(self.sizes[chosen])])
        return LabelledGroups(rows, begins, self.closed[chosen], self.owners[chosen])

    def owned(self, owners: np.ndarray) -> "LabelledGroups":
        """Give the same groups with other owners."""
        return LabelledGroups(self.rows, self.begins, self.closed, owners)

    def cut(self, attributes: np.ndarray, n_kept: np.ndarray, part: np.ndarray) -> "LabelledGroups":
        """Cut each group in one attribute; what is in no kept part stays together, and is closed there."""
        n_parts = np.maximum.reduceat(part, self.begins[:-1]) + 1
        rows, begins = reordered(self.rows, self.begins, n_parts, part)
        parents = np.repeat(np.arange(len(self)), n_parts)
        number = np.arange(len(parents)) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
        closed = self.closed[parents]
        back = number == n_kept[parents]
        closed[back, attributes[parents][back]] = True
        return LabelledGroups(rows, begins, closed, self.owners[parents])
