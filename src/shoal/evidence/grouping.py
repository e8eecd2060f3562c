"""Equivalence classes: which records are alike, and how many people they belong to."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shoal.data import Column
from shoal.kernels.numbering import distinct_keys, key_counts

__all__ = [
    "Grouping",
    "distinct_pairs",
    "equal_codes",
    "equal_tuples",
    "numbered_codes",
    "people_among",
    "people_by_class",
    "sizes_of_equal_codes",
]


@dataclass(frozen=True, eq=False, repr=False)
class Grouping:
    """Which group each record is in: labels 0…groups−1, each of which occurs."""

    labels: np.ndarray
    """The group of each record: int64."""
    n_groups: int

    def __post_init__(self) -> None:
        assert self.labels.dtype == np.int64
        self.labels.flags.writeable = False

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Grouping({len(self):,} records in {self.n_groups:,} groups)"

    def members(self, groups: np.ndarray) -> np.ndarray:
        """Return the mask of the records that are in the groups of a mask."""
        return groups[self.labels]


_LARGEST_KEY = 2**62


def equal_tuples(columns: Iterable[Column], n_records: int) -> tuple[np.ndarray, int]:
    """Number equal combinations of values exactly, in the order of first occurrence."""
    return equal_codes(((column.codes, len(column.vocabulary)) for column in columns), n_records)


def equal_codes(parts: Iterable[tuple[np.ndarray, int]], n_records: int) -> tuple[np.ndarray, int]:
    """Number equal combinations of codes; ``parts`` are columns of codes, each with the number of codes it may have."""
    return distinct_keys(_keys_of_codes(parts, n_records)[0])


def sizes_of_equal_codes(parts: Iterable[tuple[np.ndarray, int]], n_records: int) -> np.ndarray:
    """Return how many records have each combination of codes that occurs, in no particular order."""
    keys, span = _keys_of_codes(parts, n_records)
    if span <= _PLACES * n_records:
        sizes = np.bincount(keys)
        return sizes[sizes > 0]
    return key_counts(keys)


def _keys_of_codes(parts: Iterable[tuple[np.ndarray, int]], n_records: int) -> tuple[np.ndarray, int]:
    """Return a key for each combination of codes, and a number that all keys are below."""
    keys, span = np.zeros(n_records, np.int64), 1
    for codes, width in parts:
        if span * width >= _LARGEST_KEY:
            keys, span = distinct_keys(keys)
        keys = keys * width + codes
        span *= width
    return keys, span


_PLACES = 4
"""Up to this many places per code, codes are counted in an array; beyond, they are sorted."""


def numbered_codes(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the codes that occur, in ascending order; return the number of each, and how often each occurs."""
    codes = np.asarray(codes).astype(np.int64, copy=False)
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, -1)
    if high - low < _PLACES * len(codes):
        counts = np.bincount(codes - low)
        occurring = counts > 0
        return (np.cumsum(occurring) - 1)[codes - low], counts[occurring]
    _, codes, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return codes.ravel(), counts


def people_among(records: np.ndarray, persons: np.ndarray | None = None) -> int:
    """Return how many different people the records of a mask belong to; without ``persons``, one each."""
    if persons is None or not len(records):
        return int(np.count_nonzero(records))
    seen = np.zeros(int(persons.max()) + 1, np.bool_)
    seen[persons[records]] = True
    return int(np.count_nonzero(seen))


def distinct_pairs(labels: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the different pairs of two codes from 0 on; return that of each record, and the first record of each."""
    width = int(others.max(initial=0)) + 1
    numbers, found = distinct_keys(labels.astype(np.int64) * width + others)
    firsts = np.empty(found, np.int64)
    firsts[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return numbers, firsts


def people_by_class(labels: np.ndarray, n_classes: int, persons: np.ndarray | None = None) -> np.ndarray:
    """Return how many different people each class has; without ``persons``, every record is a different person.

    ``persons`` has the person of each record, as a code from 0 on.
    """
    each = labels if persons is None else labels[distinct_pairs(labels, persons)[1]]
    return np.bincount(each, minlength=n_classes)
