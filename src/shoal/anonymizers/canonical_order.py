"""An order of records that depends on their values, and not on the order in which they came.

Where equal records must be separated, something has to decide which record goes where. The order of rows must not: one
table would then have many releases. Nor must sensitive values: records that share one would be put together. So records
are ordered by their quasi-identifiers, and records with equal quasi-identifiers pseudo-randomly, by a hash of a secret
key and of everything else that is published of them; records that are equal in all of it are interchangeable. The key
is secret because a reader who could compute the same hash from published sensitive values could decide in which of two
groups a person with one of them must be.
"""

import numpy as np

from shoal.data import Column, Microdata, Role
from shoal.kernels.sampling import GOLDEN, mixed
from shoal.randomness import Randomness

__all__ = ["canonical_order"]


def canonical_order(table: Microdata, randomness: Randomness) -> np.ndarray:
    """Return the row numbers of a table in canonical order."""
    known = [_ranks(column) for column in table.quasi_identifiers]
    others = [column for column in table.columns if column.role.leaves and column.role is not Role.QUASI_IDENTIFIER]
    published = [_ranks(column) for column in others]
    if not known and not published:
        return np.arange(len(table))
    words = np.repeat(randomness.words(1, "equal records"), len(table))
    for codes in (*published, _occurrences([*published, *known])):
        words = mixed(words + (codes.astype(np.uint64) + np.uint64(1)) * GOLDEN)
    return np.lexsort([*published, words, *known])


def _ranks(column: Column) -> np.ndarray:
    """Number the values that occur: unused values of the vocabulary must not matter."""
    occurring = np.zeros(len(column.vocabulary), bool)
    occurring[column.codes] = True
    return (np.cumsum(occurring) - 1)[column.codes]


def _occurrences(columns: list[np.ndarray]) -> np.ndarray:
    """Number the records that are equal in every column, from 0."""
    order = np.lexsort(columns)
    new = np.zeros(len(order), bool)
    new[:1] = True
    for codes in columns:
        new[1:] |= np.diff(codes[order]) != 0
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    seen = np.empty(len(order), np.int64)
    seen[order] = np.arange(len(order)) - first
    return seen
