"""By which few of its columns each row is rare.

Rows are those of :mod:`.set_support`: each stands for a number of people, columns are ranks and ascend within a row. A
set is built column by column, and is extended only while enough people have it and some row has no smaller one. Sets
are looked for in order of their size, so that few are looked at where small ones are rare already.
"""

import numpy as np

from shoal.kernels.compiled import compiled

from .frequent_sets import list_following

__all__ = ["find_smallest_rare_sets"]


@compiled
def find_smallest_rare_sets(
    starts: np.ndarray,
    ranks: np.ndarray,
    row_of: np.ndarray,
    begins: np.ndarray,
    places: np.ndarray,
    weights: np.ndarray,
    first: int,
    last: int,
    size: int,
    enough: int,
    sizes: np.ndarray,
    people: np.ndarray,
    columns: np.ndarray,
    steps: int,
) -> int:
    """Find for each row a set of this size that fewer than enough people have, if it has no smaller one.

    Looked at are the sets whose first column is from first up to, not including, last. Of several sets it is the one
    that the fewest have, of these the first that is found. Written are its size, how many people have it, and its first
    columns, as many as there is room for; the rest is −1. Sizes are above ``size`` where no set was found yet, and a
    row whose size is below it is left alone. Returned are the steps that are left, an entry being one; below 0 the
    search is given up.
    """
    counts = np.zeros(len(begins) - 1, np.int64)
    prefix = np.zeros(size, np.int64)
    best = sizes, people, columns
    for column in range(first, last):
        held = places[begins[column] : begins[column + 1]]
        number = np.int64(0)
        for place in held:
            number += weights[row_of[place]]
        prefix[0] = column
        steps -= len(held)
        if size == 1 and number < enough:
            for place in held:
                _write(row_of[place], prefix, number, best)
        elif size > 1 and number >= enough and steps >= 0:
            steps = _find_below(prefix, held, (starts, ranks, row_of, weights), enough, counts, best, steps)
    return steps


@compiled
def _write(row, chosen, number, best):
    """Write a set of columns of a row, if it is a better one."""
    sizes, people, columns = best
    n = len(chosen)
    if n < sizes[row] or (n == sizes[row] and number < people[row]):
        sizes[row], people[row] = n, number
        for i in range(columns.shape[1]):
            columns[row, i] = chosen[i] if i < n else -1


@compiled
def _find_below(prefix, held, rows, enough, counts, best, steps):
    """Look at the sets that begin with the first column of the prefix and fill it; return the steps left."""
    starts, ranks, row_of, weights = rows
    size = len(prefix)
    # for each number of columns: the places of the sets, where each set begins, its last column, and which is next
    lists = [held for _ in range(size)]
    borders = [np.array([0, len(held)]) for _ in range(size)]
    lasts = [np.array([prefix[0]], np.int32) for _ in range(size)]
    following = np.zeros(size, np.int64)
    depth = 0
    while depth >= 0 and steps >= 0:
        at = following[depth]
        if at == len(borders[depth]) - 1:
            depth -= 1
            continue
        here = lists[depth][borders[depth][at] : borders[depth][at + 1]]
        prefix[depth] = lasts[depth][at]
        following[depth] += 1
        steps -= len(here)
        if not _matters(here, row_of, weights, size, best):
            continue
        touched, n_entries = _count(here, starts, ranks, row_of, weights, counts)
        steps -= 2 * n_entries
        if depth + 2 == size:
            _write_rare(prefix, here, rows, enough, counts, best)
        else:
            depth += 1
            lists[depth], borders[depth], lasts[depth] = _extended(here, rows, touched, counts, enough)
            following[depth] = 0
        for column in touched:
            counts[column] = 0
    return steps


@compiled
def _write_rare(prefix, here, rows, enough, counts, best):
    """Write the sets of a prefix and one more column that too few have, for the rows at these places."""
    starts, ranks, row_of, _ = rows
    for place in here:
        row = row_of[place]
        for other in range(place + 1, starts[row + 1]):
            if counts[ranks[other]] < enough:
                prefix[-1] = ranks[other]
                _write(row, prefix, counts[ranks[other]], best)


@compiled
def _matters(here, row_of, weights, n, best):
    """Return whether a set of n columns could be a better one for a row: whoever is in it has it."""
    sizes, people, _ = best
    for place in here:
        row = row_of[place]
        if n < sizes[row] or (n == sizes[row] and weights[row] < people[row]):
            return True
    return False


@compiled
def _count(here, starts, ranks, row_of, weights, counts):
    """Add up who has each column that follows; return these columns, and how many entries they have."""
    n_entries, n = 0, 0
    for place in here:
        n_entries += starts[row_of[place] + 1] - place - 1
    touched = np.empty(min(n_entries, len(counts)), np.int32)
    for place in here:
        row = row_of[place]
        for other in range(place + 1, starts[row + 1]):
            if counts[ranks[other]] == 0:
                touched[n] = ranks[other]
                n += 1
            counts[ranks[other]] += weights[row]
    return touched[:n], n_entries


@compiled
def _extended(here, rows, touched, counts, enough):
    """Return the places of the sets with one more column that enough people have, where each begins, and its column."""
    starts, ranks, row_of, _ = rows
    n = 0
    for column in touched:
        if counts[column] >= enough:
            n += 1
            counts[column] = 0
        else:
            counts[column] = -1
    for place in here:
        for other in range(place + 1, starts[row_of[place] + 1]):
            counts[ranks[other]] += counts[ranks[other]] >= 0
    borders, lasts = np.zeros(n + 1, np.int64), np.empty(n, np.int32)
    n = 0
    for column in touched:
        if counts[column] >= 0:
            borders[n + 1], lasts[n] = borders[n] + counts[column], column
            counts[column] = borders[n]
            n += 1
    out = np.empty(borders[n], np.int64)
    list_following(here, starts, ranks, row_of, counts, out)
    return out, borders, lasts
