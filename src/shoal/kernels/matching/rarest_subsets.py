"""How many people share the rarest few of the columns that are known of a row.

Found person by person, those first who share most with the target: each either lacks a column of the set, which is
tried for all the columns they lack, or stays a candidate. A column that was tried for one person is not tried again for
the next, so that no set is looked at twice; and a set is left as soon as as many stay as for the best one so far.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.neighbors.bitmaps import popcount, trailing_zeros
from shoal.kernels.sorting import copy_into, stable_order

__all__ = ["fewest_sharing_subsets", "rows_with_subsets"]


@compiled(parallel=True)
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
    """Return for each target and each size up to most how many people share the rarest set of at most that size.

    Targets are lines of known columns, and own are their rows; looked at are the columns that both have. A set is
    shared by the people behind the rows that have all its columns. Holders lists the rows that have each column.

    Also returned is a rarest set of each target, of the largest size, with −1 where it has fewer columns; and up to
    which size the search was finished. For a target it is given up after about ``steps`` steps, an element or a word
    being one: beyond that size, numbers may be too high.
    """
    shared = np.zeros(len(holders_begin) - 1, np.int64)
    for column in range(len(shared)):
        for i in range(holders_begin[column], holders_begin[column + 1]):
            shared[column] += people[holders[i]]
    everybody = np.int64(0)
    for row in range(len(people)):
        everybody += people[row]
    numbers = np.full((len(targets), most), everybody, np.int64)
    chosen = np.full((len(targets), most), -1, np.int64)
    finished = np.full(len(targets), most, np.int64)
    for i in prange(len(targets)):
        line = known[known_begin[targets[i]] : known_begin[targets[i] + 1]]
        mine = _common(line, indices[indptr[own[i]] : indptr[own[i] + 1]])
        mine, sharing = _rarest_first(mine, shared, everybody)
        if len(mine) == 0:
            continue
        numbers[i], chosen[i, 0] = shared[mine[0]], mine[0]
        if most > 1 and shared[mine[0]] > people[own[i]]:
            needed = 2 * sharing + len(mine) * (everybody >> 5) + len(people)
            if needed > steps:
                finished[i] = 1
            else:
                bits, missing = _people_of(mine, holders_begin, holders, people)
                finished[i] = _search(bits, missing, mine, steps - needed, numbers[i], chosen[i])
    return numbers, chosen, finished


@compiled
def rows_with_subsets(indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return for each of the rows whether it has all columns in its line of sets, leaving out −1."""
    out = np.ones(len(rows), np.bool_)
    for i in range(len(rows)):
        begin, end = indptr[rows[i]], indptr[rows[i] + 1]
        for column in sets[i]:
            if column >= 0:
                place = begin + np.searchsorted(indices[begin:end], column)
                out[i] &= place < end and indices[min(place, end - 1)] == column
    return out


@compiled
def _common(one, other):
    """Return what two ascending lists have in common."""
    out = np.empty(min(len(one), len(other)), np.int64)
    count = i = j = 0
    while i < len(one) and j < len(other):
        left, right = one[i], other[j]
        if left == right:
            out[count] = left
            count += 1
        i += left <= right
        j += right <= left
    return out[:count]


@compiled
def _rarest_first(columns, shared, everybody):
    """Return those columns that not everybody has, rarest first, and how many people share one, added up."""
    kept, numbers, n, total = np.empty(len(columns), np.int64), np.empty(len(columns), np.int64), 0, np.int64(0)
    for column in columns:
        if shared[column] < everybody:  # what all have distinguishes nobody
            kept[n], numbers[n] = column, shared[column]
            n += 1
            total += shared[column]
    return kept[:n][stable_order(numbers[:n])], total


@compiled
def _people_of(mine, holders_begin, holders, people):
    """Return the bits of the people that have each column, and for each person those of the columns that are missing.

    People are in the order of how many of the columns they have, most first; those who have none are left out.
    """
    overlap = np.zeros(len(people), np.int64)
    for column in mine:
        for row in holders[holders_begin[column] : holders_begin[column + 1]]:
            overlap[row] += 1
    begins = np.zeros(len(mine) + 2, np.int64)  # where those begin who lack none, one, two, … columns
    for row in range(len(people)):
        begins[len(mine) - overlap[row] + 1] += people[row]
    for lacking in range(1, len(begins)):
        begins[lacking] += begins[lacking - 1]
    n_people = begins[len(mine)]
    place = np.empty(len(people), np.int64)
    for row in range(len(people)):
        place[row] = begins[len(mine) - overlap[row]]
        begins[len(mine) - overlap[row]] += people[row]
    bits = np.zeros((len(mine), (n_people + 63) >> 6), np.uint64)
    missing = np.full((n_people, (len(mine) + 63) >> 6), ~np.uint64(0))
    if len(mine) & 63:
        missing[:, -1] = (np.uint64(1) << np.uint64(len(mine) & 63)) - np.uint64(1)
    for column in range(len(mine)):
        for row in holders[holders_begin[mine[column]] : holders_begin[mine[column] + 1]]:
            for person in range(place[row], place[row] + people[row]):
                bits[column, person >> 6] |= np.uint64(1) << np.uint64(person & 63)
                missing[person, column >> 6] ^= np.uint64(1) << np.uint64(column & 63)
    return bits, missing


@compiled
def _search(bits, missing, mine, steps, numbers, chosen):
    """Lower the numbers of one target, size by size, and return the size up to which that was finished."""
    least = 0  # no set is shared by fewer than those who have all columns
    while least < len(missing) and not missing[least].any():
        least += 1
    for size in range(2, len(numbers) + 1):
        if numbers[size - 1] == least:
            break
        number, steps = _lower(bits, missing, mine, size, least, numbers[size - 1], steps, chosen)
        numbers[size - 1 :] = number
        if steps < 0 and number > least:
            return size - 1
    return len(numbers)


@compiled
def _lower(bits, missing, mine, size, least, number, steps, chosen):
    """Look at all sets of at most this size; return the smallest number of people found, and the steps left."""
    n_people, blocks = missing.shape
    picked = np.zeros(size, np.int64)
    person = np.full(size + 1, least, np.int64)  # the person that the next column is to exclude
    staying = np.full(size + 1, least, np.int64)  # how many stay of those before this person
    ruled_out = np.zeros((size + 1, blocks), np.uint64)
    untried = np.zeros((size + 1, blocks), np.uint64)
    copy_into(untried[0], missing[least])
    depth = 0
    while depth >= 0 and steps >= 0 and number > least:
        steps -= blocks
        before = person[depth]
        column = _taken_first(untried[depth])
        if column >= 0:
            picked[depth] = column
            staying[depth + 1] = staying[depth]
            copy_into(ruled_out[depth + 1], ruled_out[depth])
            ruled_out[depth, column >> 6] |= np.uint64(1) << np.uint64(column & 63)
            depth += 1
        else:
            staying[depth] += 1
            for block in range(blocks):
                ruled_out[depth, block] |= missing[before, block]
            if staying[depth] >= number:
                depth -= 1
                continue
        if depth < size:
            person[depth], scanned = _next_with_all(bits, picked[:depth], before + 1, n_people)
            steps -= scanned
            if person[depth] < n_people:
                for block in range(blocks):
                    untried[depth, block] = missing[person[depth], block] & ~ruled_out[depth, block]
                continue
        else:
            count, scanned = _count_with_all(bits, picked, before + 1, number - staying[depth])
            steps -= scanned
            staying[depth] += count
        if staying[depth] < number:
            number = staying[depth]
            copy_into(chosen, mine[picked[:depth]])
            chosen[depth:] = -1
        depth -= 1
    return number, steps


@compiled
def _taken_first(bits):
    """Return the place of the first bit and clear it; −1 if there is none."""
    for word in range(len(bits)):
        if bits[word]:
            place = word * 64 + trailing_zeros(bits[word])
            bits[word] &= bits[word] - np.uint64(1)
            return place
    return np.int64(-1)


@compiled
def _next_with_all(bits, columns, start, n_people):
    """Return the first person from a start on who has all columns, n_people if there is none; and the words read."""
    if len(columns) == 0 or start >= n_people:
        return start, 1
    mask = ~np.uint64(0) << np.uint64(start & 63)
    for word in range(start >> 6, bits.shape[1]):
        for column in columns:
            mask &= bits[column, word]
        if mask:
            return word * 64 + trailing_zeros(mask), word - (start >> 6) + 1
        mask = ~np.uint64(0)
    return n_people, bits.shape[1] - (start >> 6)


@compiled
def _count_with_all(bits, columns, start, limit):
    """Count the people from a start on who have all columns, up to a limit at least; and the words read."""
    count = np.int64(0)
    mask = ~np.uint64(0) << np.uint64(start & 63)
    for word in range(start >> 6, bits.shape[1]):
        for column in columns:
            mask &= bits[column, word]
        count += popcount(mask)
        if count >= limit:
            return count, word - (start >> 6) + 1
        mask = ~np.uint64(0)
    return count, bits.shape[1] - (start >> 6)
