"""The sets of columns that enough rows have, as a tree: under each set, the columns that it can be extended by.

Rows are those of :mod:`.set_support`: columns are ranks, the rarest 0, and ascend within a row. A set is found by its
columns in ascending order. On the first level the number of a set is its column; on the others it is its place among
all sets of the level, which are in ascending order.
"""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.compressed_rows import lower_bound
from shoal.kernels.sorting import stable_order

__all__ = ["extended_set", "frequent_sets"]


@compiled
def frequent_sets(
    starts: np.ndarray,
    ranks: np.ndarray,
    row_of: np.ndarray,
    begins: np.ndarray,
    places: np.ndarray,
    first: int,
    last: int,
    fewest: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the sets of two and more columns whose first is from first up to, not including, last.

    ``fewest`` says how many rows must have a set of one column, of two, and so on. Returned are the last column of each
    set and its level, 1 for two columns; and for each set of every level but the last how many sets of the next level
    there are up to and including its own, and its level, 0 for a single column. Within a level sets are in order.
    """
    size = len(fewest)
    counts = np.zeros(len(begins) - 1, np.int64)
    columns, levels, n_columns = np.empty(16, np.int32), np.empty(16, np.int8), 0
    ends, end_levels, n_ends = np.empty(16, np.int64), np.empty(16, np.int8), 0
    found = np.zeros(size, np.int64)
    for column in range(first, last):
        held = places[begins[column] : begins[column + 1]]
        if len(held) < fewest[0]:
            held = held[:0]
        borders = np.array([0, len(held)])
        for level in range(1, size):
            more, own, held, borders = _extensions(
                held, borders, starts, ranks, row_of, fewest[level], level + 1 < size, counts
            )
            columns, levels = _grown(columns, n_columns + len(more)), _grown(levels, n_columns + len(more))
            for i in range(len(more)):
                columns[n_columns + i], levels[n_columns + i] = more[i], level
            n_columns += len(more)
            ends, end_levels = _grown(ends, n_ends + len(own)), _grown(end_levels, n_ends + len(own))
            for i in range(len(own)):
                ends[n_ends + i], end_levels[n_ends + i] = found[level] + own[i], level - 1
            n_ends += len(own)
            found[level] += len(more)
    return columns[:n_columns], levels[:n_columns], ends[:n_ends], end_levels[:n_ends]


@compiled
def _grown(values, needed):
    """Return an array that has room for so many values; the same where it has."""
    if needed <= len(values):
        return values
    out = np.empty(max(needed, 2 * len(values)), values.dtype)
    for i in range(len(values)):
        out[i] = values[i]
    return out


@compiled
def _extensions(held, borders, starts, ranks, row_of, enough, listed, counts):
    """Return the columns that extend sets and how many they are up to and including those of each set.

    The places of the sets are one after the other, between borders. Those of the extended sets are returned too, if
    they are to be listed. The counts are zero, and are again when this is over.
    """
    n_entries = 0
    for place in held:
        n_entries += starts[row_of[place] + 1] - place - 1
    columns = np.empty(n_entries // enough, np.int32)
    own = np.empty(len(borders) - 1, np.int64)
    lists = np.empty(n_entries if listed else 0, np.int64)
    limits = np.zeros(len(columns) + 1, np.int64)
    touched = np.empty(min(n_entries, len(counts)), np.int32)
    n = 0
    for i in range(len(own)):
        here = held[borders[i] : borders[i + 1]]
        n_touched = count_following(here, starts, ranks, row_of, counts, touched)
        for j in stable_order(touched[:n_touched]):
            column = touched[j]
            if counts[column] >= enough:
                columns[n], limits[n + 1] = column, limits[n] + counts[column]
                counts[column] = limits[n]
                n += 1
            else:
                counts[column] = -1
        if listed:
            list_following(here, starts, ranks, row_of, counts, lists)
        for j in range(n_touched):
            counts[touched[j]] = 0
        own[i] = n
    return columns[:n], own, lists[: limits[n] if listed else 0], limits[: n + 1]


@compiled
def count_following(here, starts, ranks, row_of, counts, touched):
    """Count the rows that have each column that follows; write these columns, and return how many they are."""
    n_touched = 0
    for place in here:
        for other in range(place + 1, starts[row_of[place] + 1]):
            column = ranks[other]
            if counts[column] == 0:
                touched[n_touched] = column
                n_touched += 1
            counts[column] += 1
    return n_touched


@compiled
def list_following(here, starts, ranks, row_of, cursor, lists):
    """Write the places of each column that follows from its cursor on; those of a negative cursor are left out."""
    for place in here:
        for other in range(place + 1, starts[row_of[place] + 1]):
            column = ranks[other]
            if cursor[column] >= 0:
                lists[cursor[column]] = other
                cursor[column] += 1


@compiled
def extended_set(
    columns: np.ndarray,
    begins: np.ndarray,
    first_columns: np.ndarray,
    first_begins: np.ndarray,
    level: int,
    number: int,
    column: int,
) -> int:
    """Return the number of a set of some level, 0 for a single column, with one more column; −1 if it is not frequent.

    The levels are one after the other in ``columns`` and ``begins``, from their firsts on: where the extensions of each
    set of a level begin among the columns of the next.
    """
    at, shift = first_begins[level] + number, first_columns[level + 1]
    begin, end = shift + begins[at], shift + begins[at + 1]
    place = lower_bound(columns, begin, end, column)
    return place - shift if place < end and columns[place] == column else -1
