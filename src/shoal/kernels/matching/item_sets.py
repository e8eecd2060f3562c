"""How many of some rows of a compressed sparse matrix share the rarest sets of columns of each row.

A set of columns is held by the rows that have all of them. Rows are kept as bits, one bitmap a column.
"""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.neighbors.bitmaps import popcount, trailing_zeros
from shoal.kernels.sorting import stable_order

__all__ = ["column_bitmaps", "fewest_with_column", "lower_to_rarest_sets", "rows_with_all"]


@compiled
def fewest_with_column(indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, n_columns: int) -> np.ndarray:
    """Return for each row how many of the rows have its rarest column; all of them for a row without columns."""
    counts = np.zeros(n_columns, np.int64)
    for row in rows:
        for j in range(indptr[row], indptr[row + 1]):
            counts[indices[j]] += 1
    fewest = np.full(len(rows), len(rows), np.int64)
    for i in range(len(rows)):
        for j in range(indptr[rows[i]], indptr[rows[i] + 1]):
            fewest[i] = min(fewest[i], counts[indices[j]])
    return fewest


@compiled
def column_bitmaps(
    indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, n_columns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return a bitmap of the rows that have it for each column that any has, rarest first, and which columns those are.

    Bit i stands for the i-th of the rows.
    """
    counts = np.zeros(n_columns, np.int64)
    for row in rows:
        for j in range(indptr[row], indptr[row + 1]):
            counts[indices[j]] += 1
    order = stable_order(counts)  # stable, as the places of columns must not depend on the machine
    columns = order[n_columns - np.count_nonzero(counts) :]
    place = np.empty(n_columns, np.int64)
    for i in range(len(columns)):
        place[columns[i]] = i
    bits = np.zeros((len(columns), (len(rows) + 63) >> 6), np.uint64)
    for i in range(len(rows)):
        for j in range(indptr[rows[i]], indptr[rows[i] + 1]):
            bits[place[indices[j]], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return bits, columns


@compiled
def rows_with_all(
    bits: np.ndarray, n_rows: int, asked: np.ndarray, least: np.ndarray, steps: int
) -> tuple[np.ndarray, int]:
    """Return how many rows have all columns of each row asked about, of which there are known to be ``least``.

    Also returned is how many steps are left, a word being one; below 0 the search was given up, and the rest keep their
    ``least``.
    """
    counts = least.copy()
    both = np.empty(bits.shape[1], np.uint64)
    for i in range(len(asked)):
        both[:] = ~np.uint64(0)
        count = n_rows
        for column in range(len(bits)):
            steps -= 1
            if (bits[column, asked[i] >> 6] >> np.uint64(asked[i] & 63)) & np.uint64(1):
                steps -= len(both)
                count = 0
                for word in range(len(both)):
                    both[word] &= bits[column, word]
                    count += popcount(both[word])
            if count == least[i] or steps < 0:
                break
        if steps < 0:
            break
        counts[i] = count
    return counts, steps


@compiled
def lower_to_rarest_sets(
    bits: np.ndarray, first: int, last: int, size: int, enough: int, bounds: np.ndarray, numbers: np.ndarray, steps: int
) -> int:
    """Lower each row's number to how many rows hold the rarest set of at most so many of its columns.

    Looked at are the sets whose first column is from first up to, not including, last. What counts is what lies below
    enough, and the smallest number of all: a number that is neither need not be lowered. No set of a row's columns is
    held by fewer rows than its bound, so where a number has come down to that the search is over. Returns how many
    steps are left, a word being one; below 0 the search was given up.
    """
    n_columns, words = bits.shape
    smallest = numbers.min()
    undecided = _undecided(bounds, numbers, max(enough, smallest))
    chosen = np.full(size, first - 1, np.int64)
    held = np.empty((size, words), np.uint64)
    depth = 0
    while depth >= 0:
        chosen[depth] += 1
        if chosen[depth] == (last if depth == 0 else n_columns):
            depth -= 1
            continue
        count, matters = _intersect(bits[chosen[depth]], held, depth, undecided)
        steps -= words
        if steps < 0:
            return steps
        if not matters:
            continue
        if count < max(enough, smallest):
            steps -= count
            _lower(held[depth], count, numbers)
            if count < smallest:
                smallest = count
                undecided = _undecided(bounds, numbers, max(enough, smallest))
            else:
                _decide(held[depth], bounds, numbers, undecided)
        if depth + 1 < size:
            chosen[depth + 1] = chosen[depth]
            depth += 1
    return steps


@compiled
def _intersect(column: np.ndarray, held: np.ndarray, depth: int, undecided: np.ndarray) -> tuple[int, bool]:
    """Write which rows hold the set with one more column; count them, and return whether any of them is undecided."""
    count = 0
    matters = np.uint64(0)
    for word in range(len(column)):
        here = column[word] & held[depth - 1, word] if depth else column[word]
        held[depth, word] = here
        count += popcount(here)
        matters |= here & undecided[word]
    return int(count), matters != 0


@compiled
def _undecided(bounds: np.ndarray, numbers: np.ndarray, most: int) -> np.ndarray:
    """Return the bits of the rows whose number could still be lowered in a way that counts."""
    out = np.zeros((len(numbers) + 63) >> 6, np.uint64)
    for row in range(len(numbers)):
        if bounds[row] < min(numbers[row], most):
            out[row >> 6] |= np.uint64(1) << np.uint64(row & 63)
    return out


@compiled
def _lower(held: np.ndarray, count: int, numbers: np.ndarray) -> None:
    for word in range(len(held)):
        left = held[word]
        while left:
            row = word * 64 + trailing_zeros(left)
            numbers[row] = min(numbers[row], count)
            left &= left - np.uint64(1)


@compiled
def _decide(held: np.ndarray, bounds: np.ndarray, numbers: np.ndarray, undecided: np.ndarray) -> None:
    """Take away the bits of the rows whose numbers have come down to their bounds."""
    for word in range(len(held)):
        left = held[word] & undecided[word]
        while left:
            place = trailing_zeros(left)
            if numbers[word * 64 + place] <= bounds[word * 64 + place]:
                undecided[word] &= ~(np.uint64(1) << np.uint64(place))
            left &= left - np.uint64(1)
