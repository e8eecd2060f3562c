"""Rows group by group.

An order of records that depends on what they say, and not on the order in which they came.

Where equal records must be parted, somebody has to decide who goes where. The order of rows must not: the same table
would be published in many ways. Nor must sensitive values: those who have one would be put together. So records are
ordered by their quasi-identifiers, and those that are equal there as if by chance, by a word mixed from a key and
everything else that is published of them; of records that are equal in all of it, it does not matter which is which.
The key is drawn: a reader who could mix the same words from the sensitive values that are published could tell in which
of two groups a person with one of them must be.
"""

import numpy as np

from shoal.data import Column, Microdata, Role
from shoal.kernels.sampling import GOLDEN, mixed
from shoal.randomness import Randomness

__all__ = ["canonical_order", "group_means", "group_offsets"]


def group_offsets(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that are in a group, one group after the other, and where groups begin, the end last.

    labels gives each row its group 0, 1, …, or −1 for none; within a group rows stay in order. A number that no row has
    is no group.
    """
    order = np.argsort(labels, kind="stable")
    members = order[np.searchsorted(labels[order], 0) :]
    return members, np.flatnonzero(np.diff(labels[members], prepend=-1, append=-1))


def group_means(lines: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return for each group 0, 1, … the mean of its lines, in double precision; no group is empty."""
    order, begins = group_offsets(labels)
    sums = np.add.reduceat(lines[order], begins[:-1], axis=0, dtype=np.float64)
    return sums / np.diff(begins)[:, None]


def canonical_order(table: Microdata, randomness: Randomness) -> np.ndarray:
    """Return the rows in that order."""
    known = [_ranks(column) for column in table.quasi_identifiers]
    others = [column for column in table.columns if column.role.leaves and column.role is not Role.QUASI_IDENTIFIER]
    published = [_ranks(column) for column in others]
    if not known and not published:
        return np.arange(len(table))
    words = np.repeat(randomness.words(1, "equal records"), len(table))
    for codes in (*published, _times_seen([*published, *known])):
        words = mixed(words + (codes.astype(np.uint64) + np.uint64(1)) * GOLDEN)
    return np.lexsort([*published, words, *known])


def _ranks(column: Column) -> np.ndarray:
    """Number the values that occur: values that nobody has must not matter."""
    occurring = np.zeros(len(column.vocabulary), bool)
    occurring[column.codes] = True
    return (np.cumsum(occurring) - 1)[column.codes]


def _times_seen(columns: list[np.ndarray]) -> np.ndarray:
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
