"""How many people share the rarest few of the columns that are known of a row."""

import numpy as np
from numba import njit, prange

from .bit_words import popcount

__all__ = ["fewest_sharing_subsets", "rows_with_subsets"]


@njit(cache=True, nogil=True, parallel=True)
def fewest_sharing_subsets(
    known_begin: np.ndarray,
    known: np.ndarray,
    targets: np.ndarray,
    own: np.ndarray,
    indptr: np.ndarray,
    indices: np.ndarray,
    holders_begin: np.ndarray,
    holders: np.ndarray,
    people: np.ndarray,
    most: int,
    steps: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give for each target and each size up to most how many people share the rarest set of at most so many columns.

    Targets are lines of known columns, and own are their rows; looked at are the columns that both have. A set is
    shared by the people behind the rows that have all its columns. Holders lists the rows that have each column.

    Gives too a rarest set of each target, of the largest size, with −1 where it has fewer columns; and up to which size
    the search was finished. For a target it is given up after about so many steps, an element or a word being one:
    beyond that size, numbers may be too high.
    """
    shared = np.zeros(len(holders_begin) - 1, np.int64)
    for column in range(len(shared)):
        for i in range(holders_begin[column], holders_begin[column + 1]):
            shared[column] += people[holders[i]]
    numbers = np.full((len(targets), most), people.sum(), np.int64)
    chosen = np.full((len(targets), most), -1, np.int64)
    finished = np.full(len(targets), most, np.int64)
    for i in prange(len(targets)):  # pyright: ignore[reportGeneralTypeIssues]
        line = known[known_begin[targets[i]] : known_begin[targets[i] + 1]]
        mine = _common(line, indices[indptr[own[i]] : indptr[own[i] + 1]])
        if len(mine) > 0:
            mine = mine[np.argsort(shared[mine], kind="mergesort")]  # rarest first; stable: no machine may differ
            finished[i] = _search(
                mine, shared[mine], indptr, indices, holders_begin, holders, people, steps, numbers[i], chosen[i]
            )
    return numbers, chosen, finished


@njit(cache=True, nogil=True)
def rows_with_subsets(indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Say for each of the rows whether it has all columns in its line of sets, leaving out −1."""
    out = np.ones(len(rows), np.bool_)
    for i in range(len(rows)):
        begin, end = indptr[rows[i]], indptr[rows[i] + 1]
        for column in sets[i]:
            if column >= 0:
                place = begin + np.searchsorted(indices[begin:end], column)
                out[i] &= place < end and indices[min(place, end - 1)] == column
    return out


@njit(cache=True, nogil=True)
def _common(one, other):
    """Give what two ascending lists have in common."""
    out = np.empty(min(len(one), len(other)), np.int64)
    count = i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            out[count] = one[i]
            count += 1
        step_one, step_other = one[i] <= other[j], other[j] <= one[i]
        i += step_one
        j += step_other
    return out[:count]


@njit(cache=True, nogil=True)
def _search(mine, shared, indptr, indices, holders_begin, holders, people, steps, numbers, chosen):
    """Lower the numbers of one target, size by size, and give the size up to which that was finished."""
    ascending = np.argsort(mine)
    number, chosen[0], least = shared[0], mine[0], np.int64(-1)
    numbers[:] = number
    for size in range(2, len(numbers) + 1):
        for first in range(len(mine) - size + 1):
            words = (shared[first] + 63) >> 6
            steps -= (len(mine) - first) * words
            for i in range(holders_begin[mine[first]], holders_begin[mine[first] + 1]):
                steps -= indptr[holders[i] + 1] - indptr[holders[i]]
            if steps < 0:
                return size - 1
            bits = np.zeros((len(mine) - first, words), np.uint64)
            rows = holders[holders_begin[mine[first]] : holders_begin[mine[first] + 1]]
            _mark(bits, mine, ascending, first, rows, indptr, indices, people)
            if least < 0:  # no set of these columns is shared by fewer than share all
                least = _with_all(bits)
            number, steps = _lower(bits, mine[first:], size, number, least, steps, chosen)
            numbers[size - 1 :] = number
            if number == least:
                return len(numbers)
            if steps < 0:
                return size - 1
    return len(numbers)


@njit(cache=True, nogil=True)
def _mark(bits, mine, ascending, first, rows, indptr, indices, people):
    """Set a bit for each person behind these rows and each column from the first on that their row has."""
    person = 0
    for row in rows:
        j, end = indptr[row], indptr[row + 1]
        for place in ascending:
            while j < end and indices[j] < mine[place]:
                j += 1
            if place >= first and j < end and indices[j] == mine[place]:
                for bit in range(person, person + people[row]):
                    bits[place - first, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
        person += people[row]


@njit(cache=True, nogil=True)
def _with_all(bits):
    count = np.int64(0)
    for word in range(bits.shape[1]):
        both = bits[0, word]
        for column in range(1, len(bits)):
            both &= bits[column, word]
        count += popcount(both)
    return count


@njit(cache=True, nogil=True)
def _lower(bits, columns, size, number, least, steps, chosen):
    """Look at the sets of this size with the first column; give the smallest number found, and the steps left."""
    n_columns, words = bits.shape
    held = np.empty((size, words), np.uint64)
    inside = np.empty((size, n_columns), np.int64)
    loss = np.zeros((size, n_columns + 1), np.int64)
    picked = np.zeros(size, np.int64)
    upcoming = np.zeros(size, np.int64)
    held[0] = bits[0]
    depth = 0
    entered = True
    while depth >= 0:
        left = size - depth - 1  # how many columns are still to be picked
        if entered:
            _count_inside(bits, held[depth], picked[depth], inside[depth], loss[depth])
            steps -= (n_columns - picked[depth]) * words
            if steps < 0:
                return number, steps
            upcoming[depth] = picked[depth] + 1
            entered = False
            if left == 1:
                last = picked[depth] + 1 + np.argmin(inside[depth, picked[depth] + 1 :])
                if inside[depth, last] < number:
                    number = inside[depth, last]
                    picked[depth + 1] = last
                    chosen[:size] = columns[picked]
                if number == least:
                    return number, steps
                depth -= 1
                continue
        column = upcoming[depth]
        if column > n_columns - left:
            depth -= 1
            continue
        upcoming[depth] += 1
        # each further column takes away at most what the best of them takes away here
        if inside[depth, column] - (left - 1) * loss[depth, column + 1] < number:
            held[depth + 1] = held[depth] & bits[column]
            picked[depth + 1] = column
            depth += 1
            entered = True
    return number, steps


@njit(cache=True, nogil=True)
def _count_inside(bits, held, last, inside, loss):
    """Count who of those held has each column after the last; loss is the most that any from a column on takes away."""
    total = np.int64(0)
    for word in range(len(held)):
        total += popcount(held[word])
    for column in range(len(bits) - 1, last, -1):
        count = np.int64(0)
        for word in range(len(held)):
            count += popcount(held[word] & bits[column, word])
        inside[column] = count
        loss[column] = max(loss[column + 1], total - count)
