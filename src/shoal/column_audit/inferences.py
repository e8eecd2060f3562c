"""Inferences by which an attacker rules out records of a group, and which values of two columns exclude each other.

*Exclusion.* If N people have a value of the one column and M of all have a value of the other, N·M/all are expected
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

__all__ = [
    "ClassInference",
    "ExclusionInference",
    "Inference",
    "RangeInference",
    "StratumInference",
    "candidates_left_by_all",
    "excluded_values",
]


_PLACES = 8
"""The number of classes within groups, per record, up to which an array has a place for each."""


@dataclass(frozen=True, eq=False)
class ClassInference:
    """Records and targets have classes; a record of another class than the target's is not theirs."""

    columns: tuple[str, ...]
    """The insensitive columns that are read."""
    about: tuple[str, ...]
    """The quasi-identifiers that depend on them, or on which they depend."""
    whole: bool
    """Whether the columns determine as a whole, and not only by some values."""
    exact: bool
    """Whether they do so without an exception."""
    of_record: np.ndarray
    """The class of each published record as a reader sees it; −1 where it may be any."""
    of_target: np.ndarray
    """The class in which to look for the person behind each record, given their quasi-identifiers; −1: in all."""

    def candidates_left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out."""
        return candidates_left_by_all([self], grouping, persons)

    @property
    def placed(self) -> tuple[int, int]:
        """How many records have a class as well as those who look for them, and the highest class of a record."""
        both = (self.of_record >= 0) & (self.of_target >= 0)
        return int(np.count_nonzero(both)), int(self.of_record.max(initial=-1))


def candidates_left_by_all(
    inferences: Sequence[ClassInference], grouping: Grouping, persons: np.ndarray | None = None
) -> np.ndarray:
    """Return for the person behind each record how many people of the group are not ruled out by any of the inferences.

    Where an inference does not say to which class a record belongs, the record is taken for a candidate whatever the
    others say: the number is never too small. Inferences that do not say where to look for a person rule out nobody.
    """
    groups = people_by_class(grouping.labels, grouping.n_groups, persons)[grouping.labels]
    of_record, of_target = reduce(_both, ((inference.of_record, inference.of_target) for inference in inferences))
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
class StratumInference:
    """Inferences that each hold for the people of one stratum, which an attacker knows of the target."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    of_strata: Sequence[ClassInference]
    """One inference per stratum; people of other strata are looked for in all classes."""
    whole = False
    exact = False

    def candidates_left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out."""
        return reduce(np.minimum, (inference.candidates_left(grouping, persons) for inference in self.of_strata))


@dataclass(frozen=True, eq=False)
class ExclusionInference:
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

    def candidates_left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:
        """Return for the person behind each record how many people of the group are not ruled out.

        A record whose values exclude each other although it has both is an exception, and nobody's candidate is ruled
        out by it.
        """
        order = np.argsort(grouping.labels * self.excluded.shape[0] + self.known, kind="stable")
        group_order = np.argsort(grouping.labels, kind="stable")
        whose = np.arange(len(order)) if persons is None else persons
        wild = self.excluded[self.known, self.read]
        return compatible_people(grouping.labels, self.known, self.read, whose, wild, self.excluded, order, group_order)


_RANGE_PLACES = 16
"""The number of ranks within groups, per record, up to which an array has a place for each."""


@dataclass(frozen=True, eq=False)
class RangeInference:
    """The range in which the quasi-identifier of each published record lies, as inferred from the columns."""

    columns: tuple[str, ...]
    about: tuple[str, ...]
    lowest: np.ndarray
    """The lowest rank of the quasi-identifier that a record may have."""
    highest: np.ndarray
    rank: np.ndarray
    """The rank of the quasi-identifier that the person behind each record has."""
    whole = False
    exact = False

    def candidates_left(self, grouping: Grouping, persons: np.ndarray | None = None) -> np.ndarray:  # noqa: ARG002
        """Return for the person behind each record how many records of the group may be theirs.

        Records are counted, even where people have several: the number is never too small.
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


Inference = ClassInference | StratumInference | ExclusionInference | RangeInference


_FEWER = 10
_EXPECTED = 3
_EXPECTED_OF_ONE = 20
_ABSENT = 5
_BEYOND_CHANCE = 10
_PLACES_AT_A_TIME = 4_000_000
"""The largest number of pairs of values examined."""


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
