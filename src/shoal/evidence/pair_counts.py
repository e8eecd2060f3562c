"""How often the values of two columns occur together."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from shoal.kernels.numbering import distinct_keys

__all__ = ["PairCounts"]

_PLACES = 4
"""Up to this many places for pairs per record, pairs are counted in an array; beyond, they are hashed."""


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Every pair of values that occurs, once, and how many people have it."""

    one: np.ndarray
    n_one: int
    """How many different values the first column may have."""
    other: np.ndarray
    n_other: int
    counts: np.ndarray

    @classmethod
    def of(
        cls, one: np.ndarray, n_one: int, other: np.ndarray, n_other: int, persons: np.ndarray | None = None
    ) -> Self:
        """Count two columns of codes; a person who has a pair in several records counts once."""
        keys = one.astype(np.int64) * n_other + other
        if persons is not None and len(keys):
            keys = _once_a_person(keys, persons)
        found, counts = _distinct(keys, n_one * n_other)
        return cls(found // n_other, n_one, found % n_other, n_other, counts)

    @property
    def swapped(self) -> "PairCounts":
        """The same with the columns the other way round."""
        return PairCounts(self.other, self.n_other, self.one, self.n_one, self.counts)

    @cached_property
    def of_one(self) -> np.ndarray:
        """How many there are of each value of the first column."""
        return _sums(self.one, self.counts, self.n_one)

    @cached_property
    def of_other(self) -> np.ndarray:
        """How many there are of each value of the second column."""
        return _sums(self.other, self.counts, self.n_other)

    def coarsened(self, of_other: np.ndarray, n_other: int) -> "PairCounts":
        """Return the counts where the values of the second column are generalized to fewer labels."""
        keys = self.one * n_other + of_other[self.other]
        found, counts = _distinct(keys, self.n_one * n_other, self.counts)
        return PairCounts(found // n_other, self.n_one, found % n_other, n_other, counts)


def _distinct(keys: np.ndarray, span: int, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the different keys, each of which is below the span, and how often they occur."""
    if span <= _PLACES * len(keys):
        sums = _sums(keys, weights, span)
        found = np.flatnonzero(sums)
        return found, sums[found]
    labels, n_found = distinct_keys(keys)
    found = np.empty(n_found, np.int64)
    found[labels] = keys
    return found, _sums(labels, weights, n_found)


def _once_a_person(keys: np.ndarray, persons: np.ndarray) -> np.ndarray:
    """Return the keys of different (key, person) pairs."""
    numbers, n_numbers = distinct_keys(keys)
    key_of = np.empty(n_numbers, np.int64)
    key_of[numbers] = keys
    people = int(persons.max()) + 1
    pairs, found = distinct_keys(numbers * people + persons)
    first = np.empty(found, np.int64)
    first[pairs] = numbers
    return key_of[first]


def _sums(labels: np.ndarray, counts: np.ndarray | None, n: int) -> np.ndarray:
    return np.bincount(labels, counts, minlength=n).astype(np.int64, copy=False)
