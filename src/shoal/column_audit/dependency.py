"""Dependencies: which values of one column determine those of another, up to few exceptions.

*A value determines.* A value that N people have determines the most frequent value among them in the other column if at
most one in twenty of them has another, if these exceptions are at most a tenth of those expected, and if at least ten
are expected. Expected are the exceptions among N people drawn from everybody. So a value that few people have
determines nothing, nor does a value whose people are like everybody else.

*A column determines as a whole.* Predict the value of everybody from the others who have the same value: the strictly
most frequent one among them. Predict it, too, from everybody: the most frequent one of all. If at most one prediction
in twenty is wrong, if at most a tenth as many are wrong as without the column, and if at least five are wrong without
it, the column determines the other as a whole, and each of its values determines the most frequent value of its people.
Only people who share their value with others are predicted; they must be at least a tenth of all, so that a column of
different values does not pass for one that predicts.

*A column determines within a stratum.* It determines something of women only, say. Then the same is required of the
people of the stratum, where at least twenty predictions must be wrong without the column; a single value determines
there if at least twenty exceptions are expected. There are many strata, so chance is given less room.

Everything is counted in whole numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.data import Column
from shoal.evidence import PairCounts
from shoal.kernels.groups.counts import leading_counts

__all__ = [
    "Dependency",
    "Determination",
    "Guesses",
    "dependencies",
    "determination",
    "determined_within",
    "determining_values",
]


_FEW = 20
"""At most one in so many is an exception."""
_FEWER = 10
"""There is at most one exception for so many expected."""
_EXPECTED_OF_A_VALUE = 10
_EXPECTED_OF_A_COLUMN = 5
_EXPECTED_WITHIN = 20
_GUESSED = 10
"""At least one person in so many shares the value with others."""


@dataclass(frozen=True, eq=False)
class Determination:
    """What the values of one column determine of another."""

    determined: np.ndarray
    """For each value of the first column, the value of the other that it determines; −1 if none: int64."""
    whole: bool
    """Whether the column determines as a whole, so that every value does."""
    exact: bool
    """Whether it does so without exception: the other column is a function of it."""


def determination(pairs: PairCounts) -> Determination:
    """Return what the values of the first column determine of the second: as a whole, or else some of them."""
    most, mode, _ = leading_counts(pairs.one, pairs.other, pairs.counts, pairs.n_one)
    guesses = Guesses.of(pairs, int(pairs.of_other.argmax()))
    if guesses.whole:
        return Determination(np.where(pairs.of_one > 0, mode, -1), True, not guesses.exceptions)
    return Determination(_determined_by_values(pairs, most, mode), False, False)


def determining_values(pairs: PairCounts) -> np.ndarray:
    """Return for each value of the first column the value of the second that it determines by itself; −1 if none."""
    most, mode, _ = leading_counts(pairs.one, pairs.other, pairs.counts, pairs.n_one)
    return _determined_by_values(pairs, most, mode)


def determined_within(pairs: PairCounts, stratum_of: np.ndarray, n_strata: int) -> np.ndarray:
    """Return for each value of the first column, which lies in one stratum, what it determines there; −1 if none."""
    most, mode, second = leading_counts(pairs.one, pairs.other, pairs.counts, pairs.n_one)
    carried = pairs.of_one
    shared = carried >= 2
    usual = np.zeros(n_strata * pairs.n_other, np.int64)
    with_others = shared[pairs.one]
    places = stratum_of[pairs.one[with_others]] * pairs.n_other + pairs.other[with_others]
    np.add.at(usual, places, pairs.counts[with_others])
    guessed = _by_stratum(stratum_of, np.where(shared, carried, 0), n_strata)
    wrong = guessed - _by_stratum(stratum_of, np.where(shared & (most - 1 > second), most, 0), n_strata)
    expected = guessed - usual.reshape(n_strata, pairs.n_other).max(axis=1)
    determines = (
        (_FEW * wrong <= guessed)
        & (_FEWER * wrong <= expected)
        & (expected >= _EXPECTED_WITHIN)
        & (_GUESSED * guessed >= _by_stratum(stratum_of, carried, n_strata))
    )
    by_themselves = _determined_by_values(pairs, most, mode, _EXPECTED_WITHIN)
    return np.where(determines[stratum_of] & (carried > 0), mode, by_themselves)


def _by_stratum(stratum_of: np.ndarray, people: np.ndarray, n_strata: int) -> np.ndarray:
    return np.bincount(stratum_of, people, minlength=n_strata).astype(np.int64)


def _determined_by_values(
    pairs: PairCounts, most: np.ndarray, mode: np.ndarray, enough: int = _EXPECTED_OF_A_VALUE
) -> np.ndarray:
    n, carried = int(pairs.counts.sum()), pairs.of_one
    exceptions = carried - most
    expected = carried * (n - pairs.of_other[mode])  # times n
    determines = (
        (_FEW * exceptions <= carried)
        & (_FEWER * n * exceptions <= expected)
        & (expected >= enough * n)
        & (carried > 0)
    )
    return np.where(determines, mode, -1)


@dataclass(frozen=True)
class Guesses:
    """How many people are predicted, and how many rightly; numbers of disjoint values of the first column add up."""

    everybody: int
    guessed: int
    """Those who share their value with others."""
    right: int
    usual: int
    """How many of them are predicted rightly without the column."""
    exceptions: int
    """How many have not the most frequent value of those who share theirs."""

    @classmethod
    def of(cls, pairs: PairCounts, usual: int) -> "Guesses":
        """Predict the second column from the first; ``usual`` is the most frequent value of the second."""
        most, _, second = leading_counts(pairs.one, pairs.other, pairs.counts, pairs.n_one)
        shared = pairs.of_one >= 2
        return cls(
            int(pairs.counts.sum()),
            int(pairs.of_one[shared].sum()),
            # without the person, that value must still be strictly the most frequent; others are guessed wrongly
            int(most[shared & (most - 1 > second)].sum()),
            int(pairs.counts[shared[pairs.one] & (pairs.other == usual)].sum()),
            int((pairs.of_one - most).sum()),
        )

    @property
    def whole(self) -> bool:
        """Whether the first column determines the second as a whole."""
        wrong, expected = self.guessed - self.right, self.guessed - self.usual
        return (
            _FEW * wrong <= self.guessed
            and _FEWER * wrong <= expected
            and expected >= _EXPECTED_OF_A_COLUMN
            and _GUESSED * self.guessed >= self.everybody
        )


@dataclass(frozen=True)
class Dependency:
    """A column that determines a quasi-identifier as a whole, or is determined by it."""

    column: str
    quasi_identifier: str
    which: Literal["determines", "is determined by"]
    exact: bool
    """Whether there is no exception."""

    def __str__(self) -> str:
        nearly = "" if self.exact else "nearly always "
        return f"{self.column!r} {nearly}{self.which} the quasi-identifier {self.quasi_identifier!r}"


def dependencies(
    columns: Sequence[Column], known: Sequence[Column], persons: np.ndarray | None = None
) -> Iterator[Dependency]:
    """Yield every dependency between a column and a quasi-identifier, determining it or else determined by it."""
    for column in columns:
        for other in known:
            width, n_values = len(column.vocabulary), len(other.vocabulary)
            pairs = PairCounts.of(column.codes, width, other.codes, n_values, persons)
            forward, backward = determination(pairs), determination(pairs.swapped)
            if forward.whole:
                yield Dependency(column.name, other.name, "determines", forward.exact)
            elif backward.whole:
                yield Dependency(column.name, other.name, "is determined by", backward.exact)
