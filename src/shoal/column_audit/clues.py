"""Every kind of clue.

Which values of two columns exclude each other.

*Definition.* If N people have a value of the one column and M of all have a value of the other, N·M/all are expected
to have both. A pair of values is *absent* if at most a tenth of those expected have it. Where at least twenty are
expected, an absent pair is excluded. Where at least three are, absent pairs are excluded if there are at least five of
them, and ten times as many as by chance: as the Poisson distribution has it for as many people expected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from shoal.evidence import Grouping, PairCounts, people_by_class
from shoal.kernels.matching.matching_records import compatible_people
from shoal.kernels.numbering import distinct_keys

__all__ = ["AnyClue", "Clue", "ConditionalClue", "ExclusionClue", "RangeClue", "excluded_values", "left_by_all"]


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


@dataclass(frozen=True, eq=False)
class ConditionalClue:
    """Clues that each hold for the people of one stratum: whoever looks for one of them knows the stratum."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    of_strata: Sequence[Clue]
    """One clue a stratum, in which whoever is of another is looked for in all classes."""
    whole = False
    exact = False

    def left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out."""
        return reduce(np.minimum, (clue.left(grouping, persons) for clue in self.of_strata))


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
        group_offsets = np.argsort(grouping.labels, kind="stable")
        whose = np.arange(len(order)) if persons is None else persons
        wild = self.excluded[self.known, self.read]
        return compatible_people(
            grouping.labels, self.known, self.read, whose, wild, self.excluded, order, group_offsets
        )


_RANGE_PLACES = 16
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
        if span <= _RANGE_PLACES * len(asked):
            up_to = np.cumsum(np.bincount(begun, minlength=span))
            return up_to[asked] - np.concatenate([[0], np.cumsum(np.bincount(ended, minlength=span))])[asked]
        return np.searchsorted(np.sort(begun), asked, side="right") - np.searchsorted(np.sort(ended), asked)


AnyClue = Clue | ConditionalClue | ExclusionClue | RangeClue


_FEWER = 10
_EXPECTED = 3
_EXPECTED_OF_ONE = 20
_ABSENT = 5
_BEYOND_CHANCE = 10
_PLACES_AT_A_TIME = 4_000_000
"""So many pairs of values are looked at, at most."""


def excluded_values(pairs: PairCounts) -> np.ndarray | None:
    """Return whether values of the first column (first axis) and of the second exclude each other; None if none do."""
    n = int(pairs.counts.sum())
    if (
        not n
        or pairs.n_one * pairs.n_other > _PLACES_AT_A_TIME
        or _EXPECTED * n > pairs.of_one.max() * pairs.of_other.max()
    ):
        return None
    together = np.zeros((pairs.n_one, pairs.n_other), np.int64)
    together[pairs.one, pairs.other] = pairs.counts
    expected = pairs.of_one[:, None] * pairs.of_other[None, :]  # times n
    looked_at = expected >= _EXPECTED * n
    absent = looked_at & (_FEWER * n * together <= expected)
    if not absent.any():
        return None
    likely = expected[looked_at] / n
    from scipy.special import pdtr
    by_chance = float(pdtr(np.floor(likely / _FEWER), likely).sum())
    found = int(np.count_nonzero(absent))
    if found < _ABSENT or found < _BEYOND_CHANCE * by_chance:
        absent &= expected >= _EXPECTED_OF_ONE * n
    return absent if absent.any() else None
