"""What the values of one column tell of another.

*A value tells.* A value that N people carry tells what most of them have in the other column if at most one in twenty
of them has something else, if these exceptions are at most a tenth of those expected, and if at least ten are
expected. Expected are the exceptions among N people drawn from everybody. So a value that few people carry tells
nothing, nor does a value whose people are as most people are anyway.

*A column tells as a whole.* Guess the value of everybody from the others who carry the same value: what strictly most
of them have. Guess it, too, from everybody: what most people have. If at most one guess in twenty is wrong, if a tenth
as many are wrong as without the column, and if at least five are wrong without it, the column tells as a whole, and
each of its values tells what most of its people have. Only people who share their value with others are guessed; they
must be at least a tenth of all, for a column of different values must not pass for one that foretells.

All is counted in whole numbers.
"""

from dataclasses import dataclass

import numpy as np

from shoal.evidence import PairCounts
from shoal.kernels.leading_counts import leading_counts

__all__ = ["Telling", "telling", "telling_values"]

_FEW = 20
"""At most one in so many has something else."""
_FEWER = 10
"""There are at most one in so many of the exceptions that were to be expected."""
_EXPECTED_OF_A_VALUE = 10
_EXPECTED_OF_A_COLUMN = 5
_GUESSED = 10
"""At least one in so many shares the value with others."""


@dataclass(frozen=True, eq=False)
class Telling:
    """What is told, value by value."""

    told: np.ndarray
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


def _told_by_values(pairs: PairCounts, most: np.ndarray, mode: np.ndarray) -> np.ndarray:
    n, carried = int(pairs.counts.sum()), pairs.of_one
    exceptions = carried - most
    expected = carried * (n - pairs.of_other[mode])  # times n
    tells = (
        (_FEW * exceptions <= carried)
        & (_FEWER * n * exceptions <= expected)
        & (expected >= _EXPECTED_OF_A_VALUE * n)
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
