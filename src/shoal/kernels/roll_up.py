"""Tell rows of codes less exactly, and number those that become alike."""

import numpy as np
from numba import njit, prange

__all__ = ["add_in_place", "merge_counts", "packed_rows", "roll_up"]


@njit(cache=True, nogil=True, parallel=True)
def packed_rows(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Give one number for each row, as int64: the sum over some columns of what their codes are worth.

    Code c of the j-th of the columns is worth values[begins[j] + c].
    """
    keys = np.empty(len(rows), np.int64)
    for i in prange(len(rows)):  # pyright: ignore[reportGeneralTypeIssues]
        key = np.int64(0)
        for j in range(len(columns)):
            key += values[begins[j] + rows[i, columns[j]]]
        keys[i] = key
    return keys


@njit(cache=True, nogil=True)
def add_in_place(keys: np.ndarray, amounts: np.ndarray, out: np.ndarray) -> None:
    """Add each amount to the place of its key."""
    for i in range(len(keys)):
        out[keys[i]] += amounts[i]


@njit(cache=True, nogil=True)
def roll_up(rows: np.ndarray, maps: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the distinct rows after mapping each column, in the order of first sight, and each row's number there.

    Code c of column j becomes maps[begins[j] + c]. Rows are compared in full, so a collision of hashes costs time only.
    """
    n, width = rows.shape
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    slots = np.full(size, -1, np.int32)
    told = np.empty((n, width), np.int32)
    hashes = np.empty(n, np.uint64)
    labels = np.empty(n, np.int64)
    found = 0
    for i in range(n):
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for j in range(width):
            code = maps[begins[j] + rows[i, j]]
            told[found, j] = code
            mixed = (mixed ^ np.uint64(code)) * np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
        slot = mixed & mask
        while slots[slot] >= 0 and not (hashes[slots[slot]] == mixed and _same(told, slots[slot], found)):
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            slots[slot] = found
            hashes[found] = mixed
            found += 1
        labels[i] = slots[slot]
    return told[:found].copy(), labels


@njit(cache=True, nogil=True)
def _same(rows, one, other):
    for j in range(rows.shape[1]):
        if rows[one, j] != rows[other, j]:
            return False
    return True


@njit(cache=True, nogil=True)
def merge_counts(
    labels: np.ndarray, n_groups: int, indptr: np.ndarray, values: np.ndarray, counts: np.ndarray, n_values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Add up the counts of values of groups that get the same label, in compressed rows in which values ascend."""
    begins = np.zeros(n_groups + 1, np.int64)
    for group in range(len(labels)):
        begins[labels[group] + 1] += 1
    for label in range(n_groups):
        begins[label + 1] += begins[label]
    order = np.empty(len(labels), np.int64)
    place = begins[:-1].copy()
    for group in range(len(labels)):
        order[place[labels[group]]] = group
        place[labels[group]] += 1
    merged = np.zeros(n_groups + 1, np.int64)
    merged_values, merged_counts = np.empty(len(values), np.int32), np.empty(len(values), np.int64)
    totals, seen = np.zeros(n_values, np.int64), np.empty(n_values, np.int32)
    at = 0
    for label in range(n_groups):
        found = 0
        for i in range(begins[label], begins[label + 1]):
            group = order[i]
            for j in range(indptr[group], indptr[group + 1]):
                if totals[values[j]] == 0:
                    seen[found] = values[j]
                    found += 1
                totals[values[j]] += counts[j]
        seen[:found].sort()
        for i in range(found):
            merged_values[at] = seen[i]
            merged_counts[at] = totals[seen[i]]
            totals[seen[i]] = 0
            at += 1
        merged[label + 1] = at
    return merged, merged_values[:at].copy(), merged_counts[:at].copy()
