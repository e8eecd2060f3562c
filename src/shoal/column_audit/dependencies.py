"""Which columns depend on which quasi-identifiers, before anything is generalized.

What the values of one column tell of another.

*A value tells.* A value that N people carry tells what most of them have in the other column if at most one in twenty
of them has something else, if these exceptions are at most a tenth of those expected, and if at least ten are
expected. Expected are the exceptions among N people drawn from everybody. So a value that few people carry tells
nothing, nor does a value whose people are as most people are anyway.

*A column tells as a whole.* Guess the value of everybody from the others who carry the same value: what strictly most
of them have. Guess it, too, from everybody: what most people have. If at most one guess in twenty is wrong, if a tenth
as many are wrong as without the column, and if at least five are wrong without it, the column tells as a whole, and
each of its values tells what most of its people have. Only people who share their value with others are guessed; they
must be at least a tenth of all, for a column of different values must not pass for one that foretells.

*A column tells within a stratum.* It tells something of women only, say. Then the same is asked of the people of the
stratum, where at least twenty guesses must be wrong without the column; a value of it that some carry there tells by
itself if at least twenty exceptions are expected. There are many strata, so chance is given less room.

All is counted in whole numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.data import Column
from shoal.evidence import PairCounts
from shoal.kernels.groups.counts import leading_counts

__all__ = ["Dependency", "Telling", "dependencies", "telling", "telling_values", "telling_within"]


_FEW = 20
"""At most one in so many has something else."""
_FEWER = 10
"""There are at most one in so many of the exceptions that were to be expected."""
_EXPECTED_OF_A_VALUE = 10
_EXPECTED_OF_A_COLUMN = 5
_EXPECTED_WITHIN = 20
_GUESSED = 10
"""At least one in so many shares the value with others."""


@dataclass(frozen=True, eq=False)
class Telling:
    """What is told, value by value."""

    published: np.ndarray
    """For each value of the telling column, the value that it tells of the other; −1 if it tells none: int64."""
    whole: bool
    """Whether the column tells as a whole, so that every value does."""
    exact: bool
    """Whether it tells as a whole and nobody is an exception: the one column is a function of the other."""


def telling(pairs: PairCounts) -> Telling:
    """Return what the values of the first column tell of the second: as a whole, or else some of them."""
    most, mode, second = leading_counts(pairs.one, pairs.other, pairs.counts, pairs.n_one)
    if _whole(pairs, most, second):
        carried = pairs.of_one
        return Telling(np.where(carried > 0, mode, -1), True, bool((carried == most).all()))
    return Telling(_told_by_values(pairs, most, mode), False, False)


def telling_values(pairs: PairCounts) -> np.ndarray:
    """Return for each value of the first column the value that it tells of the second by itself; −1 if none."""
    most, mode, _ = leading_counts(pairs.one, pairs.other, pairs.counts, pairs.n_one)
    return _told_by_values(pairs, most, mode)


def telling_within(pairs: PairCounts, stratum_of: np.ndarray, n_strata: int) -> np.ndarray:
    """Return for each value of the first column, which is of one stratum, the value that it tells there; −1 if none."""
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
    tells = (
        (_FEW * wrong <= guessed)
        & (_FEWER * wrong <= expected)
        & (expected >= _EXPECTED_WITHIN)
        & (_GUESSED * guessed >= _by_stratum(stratum_of, carried, n_strata))
    )
    by_themselves = _told_by_values(pairs, most, mode, _EXPECTED_WITHIN)
    return np.where(tells[stratum_of] & (carried > 0), mode, by_themselves)


def _by_stratum(stratum_of: np.ndarray, people: np.ndarray, n_strata: int) -> np.ndarray:
    return np.bincount(stratum_of, people, minlength=n_strata).astype(np.int64)


def _told_by_values(
    pairs: PairCounts, most: np.ndarray, mode: np.ndarray, enough: int = _EXPECTED_OF_A_VALUE
) -> np.ndarray:
    n, carried = int(pairs.counts.sum()), pairs.of_one
    exceptions = carried - most
    expected = carried * (n - pairs.of_other[mode])  # times n
    tells = (
        (_FEW * exceptions <= carried)
        & (_FEWER * n * exceptions <= expected)
        & (expected >= enough * n)
        & (carried > 0)
    )
    return np.where(tells, mode, -1)


def _whole(pairs: PairCounts, most: np.ndarray, second: np.ndarray) -> bool:
    shared = pairs.of_one >= 2
    guessed = int(pairs.of_one[shared].sum())
    # without the person, that value must still be strictly the most frequent; everybody else is guessed wrongly
    right = int(most[shared & (most - 1 > second)].sum())
    usual = int(pairs.of_other.argmax())
    expected = guessed - int(pairs.counts[shared[pairs.one] & (pairs.other == usual)].sum())
    wrong = guessed - right
    return (
        _FEW * wrong <= guessed
        and _FEWER * wrong <= expected
        and expected >= _EXPECTED_OF_A_COLUMN
        and _GUESSED * guessed >= int(pairs.counts.sum())
    )


@dataclass(frozen=True)
class Dependency:
    """A column that tells a quasi-identifier as a whole, or is told by it."""

    column: str
    quasi_identifier: str
    which: Literal["determines", "is determined by"]
    exact: bool
    """Whether nobody is an exception."""

    def __str__(self) -> str:
        nearly = "" if self.exact else "nearly always "
        return f"{self.column!r} {nearly}{self.which} the quasi-identifier {self.quasi_identifier!r}"


def dependencies(
    columns: Sequence[Column], known: Sequence[Column], persons: np.ndarray | None = None
) -> Iterator[Dependency]:
    """Return every dependency between a column and a quasi-identifier: that which determines, or else is determined."""
    for column in columns:
        for other in known:
            width, n_values = len(column.vocabulary), len(other.vocabulary)
            pairs = PairCounts.of(column.codes, width, other.codes, n_values, persons)
            tells, published = telling(pairs), telling(pairs.swapped)
            if tells.whole:
                yield Dependency(column.name, other.name, "determines", tells.exact)
            elif published.whole:
                yield Dependency(column.name, other.name, "is determined by", published.exact)
