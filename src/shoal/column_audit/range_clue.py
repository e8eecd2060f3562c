"""What a reader rules out by an insensitive column that tells the range of a quasi-identifier."""

from dataclasses import dataclass

import numpy as np

from shoal.evidence import Grouping

__all__ = ["RangeClue"]

_PLACES = 16
"""So many places for ranks within groups are afforded for each record."""


@dataclass(frozen=True, eq=False)
class RangeClue:
    """In which range the quasi-identifier of each published record lies, as a reader of the column may tell."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    lowest: np.ndarray
    """The lowest rank of the quasi-identifier that a record may have."""
    highest: np.ndarray
    rank: np.ndarray
    """The rank of the quasi-identifier that the person behind each record has."""
    whole = False
    exact = False

    def left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:  # noqa: ARG002
        """Return for the person behind each record how many records of the group may be theirs.

        Records are counted, even where people have several: never fewer are told than are left.
        """
        width = int(max(self.highest.max(), self.rank.max())) + 1
        groups = grouping.labels * width
        asked = groups + self.rank
        # of ranges that begin at a rank or below, those that ended before it do not hold it
        begun, ended = groups + self.lowest, groups + self.highest
        span = grouping.n_groups * width
        if span <= _PLACES * len(asked):
            up_to = np.cumsum(np.bincount(begun, minlength=span))
            return up_to[asked] - np.concatenate([[0], np.cumsum(np.bincount(ended, minlength=span))])[asked]
        return np.searchsorted(np.sort(begun), asked, side="right") - np.searchsorted(np.sort(ended), asked)
