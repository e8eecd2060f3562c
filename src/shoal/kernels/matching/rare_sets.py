"""In how many rare sets of columns each column is.

Rows are those of :mod:`.set_support`: columns are ranks and ascend within a row. A set is built column by column, and
is extended only while enough rows have it, so that what is counted are the smallest rare sets.
"""

import numpy as np

from shoal.kernels.compiled import compiled

from .frequent_sets import count_following, list_following

__all__ = ["count_rare_sets"]


@compiled
def count_rare_sets(
    starts: np.ndarray,
    ranks: np.ndarray,
    row_of: np.ndarray,
    begins: np.ndarray,
    places: np.ndarray,
    first: int,
    last: int,
    fewest: np.ndarray,
    any_suffices: bool,
) -> np.ndarray:
    """Return for each column in how many rare sets it is whose first column is from first up to, not including, last.

    ``fewest`` says how many rows must have a set of one column, of two, and so on. Where ``any_suffices``, the search
    ends with the first column that begins a rare set.
    """
    out = np.zeros(len(begins) - 1, np.int64)
    counts = np.zeros(len(begins) - 1, np.int64)
    for column in range(first, last):
        held = places[begins[column] : begins[column + 1]]
        if 0 < len(held) < fewest[0]:
            out[column] += 1
        elif len(held) and len(fewest) > 1:
            _count_below(column, held, starts, ranks, row_of, fewest, counts, out)
        if any_suffices and out[column]:
            break
    return out


@compiled
def _count_below(column, held, starts, ranks, row_of, fewest, counts, out):
    """Count the rare sets of two and more columns that begin with a column, in all of their columns."""
    size = len(fewest)
    # for each number of columns: the places of the sets, where each set begins, its last column, and which is next
    lists = [held for _ in range(size)]
    borders = [np.array([0, len(held)]) for _ in range(size)]
    lasts = [np.array([column], np.int32) for _ in range(size)]
    following, prefix = np.zeros(size, np.int64), np.zeros(size, np.int64)
    depth = 0
    while depth >= 0:
        at = following[depth]
        if at == len(borders[depth]) - 1:
            depth -= 1
            continue
        here = lists[depth][borders[depth][at] : borders[depth][at + 1]]
        prefix[depth] = lasts[depth][at]
        following[depth] += 1
        touched = _touched(here, starts, ranks, row_of, counts)
        n_rare = 0
        for other in touched:
            if counts[other] < fewest[depth + 1]:
                out[other] += 1
                n_rare += 1
        for i in range(depth + 1):
            out[prefix[i]] += n_rare
        if depth + 2 < size:
            depth += 1
            lists[depth], borders[depth], lasts[depth] = _extended(
                here, starts, ranks, row_of, touched, counts, fewest[depth]
            )
            following[depth] = 0
        for other in touched:
            counts[other] = 0


@compiled
def _touched(here, starts, ranks, row_of, counts):
    """Count the rows that have each column that follows, and return these columns."""
    n_entries = 0
    for place in here:
        n_entries += starts[row_of[place] + 1] - place - 1
    touched = np.empty(min(n_entries, len(counts)), np.int32)
    return touched[: count_following(here, starts, ranks, row_of, counts, touched)]


@compiled
def _extended(here, starts, ranks, row_of, touched, counts, enough):
    """Return the places of the sets with one more column that enough rows have, where each begins, and its column."""
    n = 0
    for column in touched:
        n += counts[column] >= enough
    borders, lasts = np.zeros(n + 1, np.int64), np.empty(n, np.int32)
    n = 0
    for column in touched:
        if counts[column] >= enough:
            borders[n + 1], lasts[n] = borders[n] + counts[column], column
            counts[column] = borders[n]
            n += 1
        else:
            counts[column] = -1
    out = np.empty(borders[n], np.int64)
    list_following(here, starts, ranks, row_of, counts, out)
    return out, borders, lasts
