"""The published records nearest to a person by each of two sets of columns, and how likely the two searches meet."""

from dataclasses import dataclass
from math import comb

import numpy as np

from shoal.data import Microdata
from shoal.kernels.neighbors.nearest_records import (
    BOTH_TIED,
    NEAR_LEFT,
    NEAR_RIGHT,
    OWN_LEFT,
    OWN_RIGHT,
    TIED_LEFT,
    TIED_RIGHT,
    meeting_neighbors,
)

from .label_distances import LabelDistances

__all__ = ["Meeting", "NearestRecords"]


_CELLS_AT_A_TIME = 1 << 24
"""The number of distances between values and labels held at once."""


@dataclass(frozen=True, eq=False)
class Meeting:
    """For each person searched for, the probability that both sides find the same record, and the candidates."""

    chances: np.ndarray
    at_own_record: np.ndarray
    """The probability that both sides find the person's own record."""
    candidates_left: np.ndarray
    """The number of records among which the nearest were picked."""
    candidates_right: np.ndarray


class NearestRecords:
    """Published records, searched by the columns of a left and of a right side."""

    def __init__(
        self,
        truth: Microdata,
        seen: Microdata,
        left: tuple[str, ...],
        right: tuple[str, ...],
        outside: Microdata | None = None,
    ) -> None:
        """Read the labels of all columns; ``outside`` are people searched for beside those of the truth."""
        self._left, self._right = _Side(truth, seen, left, outside), _Side(truth, seen, right, outside)
        both = self._left.class_of * len(self._right.sizes) + self._right.class_of
        pairs, counts = np.unique(both, return_counts=True)
        of_left, of_right = np.divmod(pairs, len(self._right.sizes))
        self._pairs = np.searchsorted(of_left, np.arange(len(self._left.sizes) + 1)), of_right, counts
        self._n = len(seen)

    def met(self, left: Microdata, right: Microdata, places: np.ndarray | None, neighbors: int) -> Meeting:
        """Search for people by the ``left`` values of some records and the ``right`` values of the same or others.

        ``places`` are the published records of the people searched for; None where they have none.
        """
        by_left, by_right = self._left.numbers(left), self._right.numbers(right)
        own = np.full((len(left), 2), -1)
        if places is not None:
            own = np.stack([self._left.class_of[places], self._right.class_of[places]], axis=1)
        wanted = min(neighbors, self._n)
        step = max(_CELLS_AT_A_TIME // (self._left.n_labels + self._right.n_labels), 1)
        found = []
        for some in (slice(begin, begin + step) for begin in range(0, len(left), step)):
            (one, asked_left), (other, asked_right) = self._left.asked(by_left[some]), self._right.asked(by_right[some])
            found.append(meeting_neighbors(one, other, self._pairs, asked_left, asked_right, own[some], wanted))
        return _meeting(np.concatenate(found), wanted)


class _Side:
    """The columns of one side: records with equal labels in them are one class."""

    def __init__(self, truth: Microdata, seen: Microdata, names: tuple[str, ...], outside: Microdata | None) -> None:
        self._names = names
        self._columns = [
            LabelDistances(truth[name], seen[name], None if outside is None else outside[name]) for name in names
        ]
        self.n_labels = sum(column.n_labels for column in self._columns)
        keys = np.zeros(len(seen), np.int64)
        for column in self._columns:
            keys = np.unique(keys * column.n_labels + column.codes, return_inverse=True)[1]
        self.class_of = keys
        """The class of each published record."""
        firsts = np.unique(keys, return_index=True)[1]
        self._classes = np.stack([column.codes[firsts] for column in self._columns], axis=1).astype(np.int32)
        self.sizes = np.bincount(keys)

    def numbers(self, people: Microdata) -> np.ndarray:
        """Return the codes of people's values, by column."""
        return np.stack([each.numbers(people[name]) for name, each in zip(self._names, self._columns, strict=True)], 1)

    def asked(self, numbers: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
        """Return the distances, classes and sizes for some people, and where the distances of each value start."""
        distances, starts, begin = [], np.empty(numbers.shape, np.int64), 0
        for at, column in enumerate(self._columns):
            values, which = np.unique(numbers[:, at], return_inverse=True)
            distances.append(column.to_labels(values).ravel())
            starts[:, at] = begin + which * column.n_labels
            begin += len(distances[-1])
        return (np.concatenate(distances), self._classes, self.sizes), starts


def _meeting(found: np.ndarray, wanted: int) -> Meeting:
    distinct, which = np.unique(found[:, : BOTH_TIED + 1], axis=0, return_inverse=True)
    chances = np.array([_meet(wanted, *line) for line in distinct.tolist()])
    left = _picked(wanted, found[:, NEAR_LEFT], found[:, TIED_LEFT], found[:, OWN_LEFT])
    right = _picked(wanted, found[:, NEAR_RIGHT], found[:, TIED_RIGHT], found[:, OWN_RIGHT])
    candidates = found[:, NEAR_LEFT] + found[:, TIED_LEFT], found[:, NEAR_RIGHT] + found[:, TIED_RIGHT]
    return Meeting(chances[which.ravel()], left * right, *candidates)


def _picked(wanted: int, near: np.ndarray, tied: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return the probability that a person's own record is picked on a side."""
    return np.where(own == 2, 1.0, np.where(own == 1, (wanted - near) / tied, 0.0))


def _meet(
    wanted: int,
    near_left: int,
    tied_left: int,
    near_right: int,
    tied_right: int,
    both_near: int,
    near_tied: int,
    tied_near: int,
    both_tied: int,
) -> float:
    """Return the probability that some record is picked on both sides, exact up to rounding.

    It is 1 minus that of none: the picks among those tied on the left avoid all that are near on the right, ``some`` of
    them being tied there too, and the picks among those tied on the right avoid both all near on the left and these.
    """
    if both_near:
        return 1.0
    from_left, from_right = wanted - near_left, wanted - near_right
    elsewhere = tied_left - tied_near - both_tied
    ways = sum(
        comb(both_tied, some) * comb(elsewhere, from_left - some) * comb(tied_right - near_tied - some, from_right)
        for some in range(min(both_tied, from_left) + 1)
    )
    all_ways = comb(tied_left, from_left) * comb(tied_right, from_right)
    return (all_ways - ways) / all_ways
