"""How many people have the rarest set of a few columns of each row of a compressed sparse matrix.

Rows are weighted: each stands for a number of people. Columns are numbered by how many have them, the rarest first, and
those of a row ascend. A set is built column by column, the rarest first; the rows that have all of it are a list of
places, each where the last column of the set is in its row, so that the columns the set may be extended by are those
that follow. How many have each extension is counted in one walk over the list.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["column_support", "lower_by_support", "ranked_rows"]


@compiled
def column_support(
    indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, weights: np.ndarray, n_columns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many people have each column, and how many of the rows do."""
    people, holders = np.zeros(n_columns, np.int64), np.zeros(n_columns, np.int64)
    for i in range(len(rows)):
        for j in range(indptr[rows[i]], indptr[rows[i] + 1]):
            people[indices[j]] += weights[i]
            holders[indices[j]] += 1
    return people, holders


@compiled
def ranked_rows(
    indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, rank: np.ndarray, begins: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return some rows with their columns as ranks that ascend, and where these are.

    Returned are where each row starts, its ranks, the row of every place, and the places of each rank, which begin
    where said.
    """
    starts = np.zeros(len(rows) + 1, np.int64)
    cursor = begins[:-1].copy()
    holders = np.empty(begins[-1], np.int32)
    for i in range(len(rows)):
        starts[i + 1] = starts[i] + indptr[rows[i] + 1] - indptr[rows[i]]
        for j in range(indptr[rows[i]], indptr[rows[i] + 1]):
            column = rank[indices[j]]
            holders[cursor[column]] = i
            cursor[column] += 1
    ranks, row_of = np.empty(len(holders), np.int32), np.empty(len(holders), np.int32)
    places = np.empty(len(holders), np.int64)
    cursor = starts[:-1].copy()
    for column in range(len(begins) - 1):  # in ascending order, so those of a row ascend
        for i in range(begins[column], begins[column + 1]):
            row = holders[i]
            place = cursor[row]
            cursor[row] += 1
            ranks[place], row_of[place], places[i] = column, row, place
    return starts, ranks, row_of, places


@compiled(parallel=True)
def lower_by_support(
    starts: np.ndarray,
    ranks: np.ndarray,
    row_of: np.ndarray,
    begins: np.ndarray,
    places: np.ndarray,
    weights: np.ndarray,
    bounds: np.ndarray,
    first: int,
    last: int,
    size: int,
    enough: int,
    numbers: np.ndarray,
    steps: np.ndarray,
) -> None:
    """Lower each row's number to the people who have the rarest set of two to ``size`` of its columns.

    Looked at are the sets whose rarest column is from first up to, not including, last. Every part has its own line of
    numbers and its own steps, an entry being one, and takes every so many of the columns; it gives up below 0. What
    counts is what lies below enough, and the smallest number of all; no set of a row is had by fewer people than its
    bound, so where its number has come down to that the row is decided.
    """
    n_parts = len(numbers)
    for part in prange(n_parts):
        counts = np.zeros(len(begins) - 1, np.int64)
        smallest = numbers[part].min()
        for column in range(first + part, last, n_parts):
            if steps[part] >= 0:
                held = places[begins[column] : begins[column + 1]]
                lists = starts, ranks, row_of, weights, bounds
                smallest, steps[part] = _lower_below(
                    lists, held, size, enough, numbers[part], counts, smallest, steps[part]
                )


@compiled
def _lower_below(rows, held, size, enough, numbers, counts, smallest, steps):
    """Look at all sets that begin with the column of these places; return the smallest number and the steps left."""
    starts, ranks, row_of, weights, bounds = rows
    # for each number of columns: the lists of the extensions of the set, where each begins, and which is next
    lists = [held for _ in range(size)]
    borders = [np.array([0, len(held)]) for _ in range(size)]
    following = np.zeros(size, np.int64)
    depth = 0
    while depth >= 0 and steps >= 0:
        if following[depth] == len(borders[depth]) - 1:
            depth -= 1
            continue
        here = lists[depth][borders[depth][following[depth]] : borders[depth][following[depth] + 1]]
        following[depth] += 1
        steps -= len(here)
        if not _matters(here, row_of, bounds, numbers, max(enough, smallest)):
            continue
        touched, n_entries = _count(here, starts, ranks, row_of, weights, counts)
        steps -= 2 * n_entries
        smallest = min(smallest, _lower(here, starts, ranks, row_of, counts, numbers))
        for column in touched:
            counts[column] = 0
        if depth + 2 < size:
            depth += 1
            lists[depth], borders[depth] = _extended(here, starts, ranks, row_of, touched, n_entries, counts)
            following[depth] = 0
    return smallest, steps


@compiled
def _matters(here, row_of, bounds, numbers, most):
    for place in here:
        row = row_of[place]
        if bounds[row] < min(numbers[row], most):
            return True
    return False


@compiled
def _count(here, starts, ranks, row_of, weights, counts):
    """Add up who has each column that follows, and return these columns and how many entries they have."""
    n_entries, n_touched = 0, 0
    for place in here:
        n_entries += starts[row_of[place] + 1] - place - 1
    touched = np.empty(min(n_entries, len(counts)), np.int32)
    for place in here:
        row = row_of[place]
        for other in range(place + 1, starts[row + 1]):
            column = ranks[other]
            if counts[column] == 0:
                touched[n_touched] = column
                n_touched += 1
            counts[column] += weights[row]
    return touched[:n_touched], n_entries


@compiled
def _lower(here, starts, ranks, row_of, counts, numbers):
    """Lower the numbers of the rows, and return the smallest count."""
    smallest = np.iinfo(np.int64).max
    for place in here:
        row = row_of[place]
        for other in range(place + 1, starts[row + 1]):
            numbers[row] = min(numbers[row], counts[ranks[other]])
        smallest = min(smallest, numbers[row])
    return smallest


@compiled
def _extended(here, starts, ranks, row_of, touched, n_entries, counts):
    """Return the lists of places of the set with one more column, one after the other, and where each begins.

    The counts are zero, and are again when this is over.
    """
    for place in here:
        for other in range(place + 1, starts[row_of[place] + 1]):
            counts[ranks[other]] += 1
    borders = np.zeros(len(touched) + 1, np.int64)
    for i in range(len(touched)):
        borders[i + 1] = borders[i] + counts[touched[i]]
        counts[touched[i]] = borders[i]
    out = np.empty(n_entries, np.int64)
    for place in here:
        for other in range(place + 1, starts[row_of[place] + 1]):
            out[counts[ranks[other]]] = other
            counts[ranks[other]] += 1
    for column in touched:
        counts[column] = 0
    return out, borders
