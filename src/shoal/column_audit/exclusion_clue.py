"""What a reader rules out by values of an insensitive column that do not occur with what is known of a person."""

from dataclasses import dataclass

import numpy as np

from shoal.evidence import Grouping
from shoal.kernels.compatible_people import compatible_people

__all__ = ["ExclusionClue"]


@dataclass(frozen=True, eq=False)
class ExclusionClue:
    """Which published values a person with each known value cannot have."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    excluded: np.ndarray
    """Whether what is known (first axis) and what is read (second axis) exclude each other."""
    known: np.ndarray
    """What is known of the person behind each record."""
    read: np.ndarray
    """What is read in each published record."""
    whole = False
    exact = False

    def left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out.

        A record whose values exclude each other although it has both is an exception, and nobody's candidate is ruled
        out by it.
        """
        order = np.argsort(grouping.labels * self.excluded.shape[0] + self.known, kind="stable")
        by_group = np.argsort(grouping.labels, kind="stable")
        whose = np.arange(len(order)) if persons is None else persons
        wild = self.excluded[self.known, self.read]
        return compatible_people(grouping.labels, self.known, self.read, whose, wild, self.excluded, order, by_group)
