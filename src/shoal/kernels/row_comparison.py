"""Equal and different rows of compressed sparse matrices: numbered, and compared cell by cell."""

import numpy as np

from .compiled import compiled, prange
from .compressed_rows import lower_bound

__all__ = ["equal_patterns", "equal_rows", "number_rows", "row_differences", "row_hashes"]


_STEP = 256


@compiled(parallel=True)
def row_differences(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    other_indptr: np.ndarray,
    other_indices: np.ndarray,
    other_data: np.ndarray,
    other_rows: np.ndarray,
) -> np.ndarray:
    """Return six sums over cells for each block of rows, as int64; other_rows says which row of the other is meant.

    In this order: how many cells both have with different data, and the total absolute difference of those; how many
    only the other has, and the total of data + 1 of those; how many only the first has, and the total of data + 1 of
    those. Indices ascend within each row. A row of the other is added up once, and then only what the first has is
    looked up in it: rows of the other may be much longer, and each be meant often.
    """
    totals = np.zeros(len(other_indptr) - 1, np.int64)
    for row in prange(len(totals)):
        for place in range(other_indptr[row], other_indptr[row + 1]):
            totals[row] += np.int64(other_data[place]) + 1
    n = len(indptr) - 1
    out = np.zeros(((n + _STEP - 1) // _STEP, 6), np.int64)
    for block in prange(len(out)):
        sums = np.zeros(6, np.int64)
        for row in range(block * _STEP, min(n, (block + 1) * _STEP)):
            other = other_rows[row]
            first, end = other_indptr[other], other_indptr[other + 1]
            # a row that has every index up to its last has each at its own place, and need not be searched
            whole = end > first and other_indices[end - 1] == end - first - 1
            begin = first
            sums[2] += end - begin
            sums[3] += totals[other]
            for place in range(indptr[row], indptr[row + 1]):
                mine = np.int64(data[place])
                if whole:
                    begin = min(first + indices[place], end)
                else:
                    begin = _first_from(other_indices, begin, end, indices[place])
                if begin == end or (not whole and other_indices[begin] != indices[place]):
                    sums[4] += 1
                    sums[5] += mine + 1
                    continue
                theirs = np.int64(other_data[begin])
                sums[2] -= 1
                sums[3] -= theirs + 1
                sums[0] += theirs != mine
                sums[1] += abs(theirs - mine)
        for place in range(6):
            out[block, place] = sums[place]
    return out


@compiled
def _first_from(sorted_values, begin, end, value):
    """Return the first place from begin on whose value is not less; looks further and further ahead, then between."""
    step = 1
    while begin + step < end and sorted_values[begin + step] < value:
        begin += step
        step *= 2
    return lower_bound(sorted_values, begin, min(begin + step + 1, end), value)


def equal_rows(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray) -> tuple[np.ndarray, int]:
    """Number rows so that two get the same number exactly when indices and data are equal."""
    return number_rows(indptr, indices, data, row_hashes(indptr, indices, data))


def equal_patterns(indptr: np.ndarray, indices: np.ndarray) -> tuple[np.ndarray, int]:
    """Number rows so that two get the same number exactly when their indices are equal."""
    return equal_rows(indptr, indices, np.zeros(len(indices), np.uint8))


@compiled
def number_rows(
    indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, hashes: np.ndarray
) -> tuple[np.ndarray, int]:
    """Number rows by indices and data, given their hashes; return the numbers and how many there are.

    Rows with equal hashes are compared in full, so a collision can never change the answer.
    """
    n = len(indptr) - 1
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    table = np.full(size, -1, np.int64)
    labels = np.empty(n, np.int64)
    firsts = np.empty(n, np.int64)
    found = 0
    for i in range(n):
        slot = hashes[i] & mask
        while table[slot] >= 0:
            first = int(firsts[table[slot]])
            if hashes[first] == hashes[i] and _same_row(indptr, indices, data, first, i):
                break
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = found
            firsts[found] = i
            found += 1
        labels[i] = table[slot]
    return labels, found


@compiled(parallel=True)
def row_hashes(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray) -> np.ndarray:
    """Return a hash of each row's indices and data."""
    hashes = np.empty(len(indptr) - 1, np.uint64)
    for row in prange(len(hashes)):
        mixed = np.uint64(indptr[row + 1] - indptr[row]) + np.uint64(0x9E3779B97F4A7C15)
        for j in range(indptr[row], indptr[row + 1]):
            mixed ^= (np.uint64(indices[j]) << np.uint64(20)) ^ np.uint64(data[j])
            mixed *= np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
        hashes[row] = mixed
    return hashes


@compiled
def _same_row(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, one: int, other: int) -> bool:
    length = indptr[one + 1] - indptr[one]
    if indptr[other + 1] - indptr[other] != length:
        return False
    a, b = indptr[one], indptr[other]
    for j in range(length):
        if indices[a + j] != indices[b + j] or data[a + j] != data[b + j]:
            return False
    return True
