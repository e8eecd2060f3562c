"""Sort triples (row, column, code) into compressed sparse rows, by two stable counting sorts.

Each sort is shared out by where entries go: every thread looks at all of them and moves those of its own range.
"""

import numpy as np

from .compiled import compiled, prange

__all__ = [
    "are_in_order",
    "count_columns",
    "count_repeats",
    "find_entries",
    "lower_bound",
    "merge_repeats",
    "place_by_column",
    "rows_of_columns",
    "settle_in_order",
    "take_columns",
    "take_rows",
]


@compiled
def are_in_order(rows, columns, codes, row_map, column_map, code_map, row, column):
    """Return whether kept entries ascend by row and column, after the entry before, which is at row and column, too."""
    for i in range(len(rows)):
        if code_map[codes[i]] >= 0:
            next_row, next_column = row_map[rows[i]], column_map[columns[i]]
            if next_row < row or (next_row == row and next_column <= column):
                return False
            row, column = next_row, next_column
    return True


@compiled
def settle_in_order(rows, columns, codes, row_map, column_map, code_map, first, begins, at, indices, out):
    """Write the kept entries of the rows from a place on, and return the place behind them.

    The entries are those of columns and codes from the first on; they are in order. What is written may go to the
    arrays it is read from. How many entries each row has is added to begins, one place further on.
    """
    for i in range(len(rows)):
        code = code_map[codes[first + i]]
        if code >= 0:
            begins[row_map[rows[i]] + 1] += 1
            indices[at] = column_map[columns[first + i]]
            out[at] = code
            at += 1
    return at


@compiled
def count_columns(columns, codes, column_map, code_map, counts):
    """Add to counts how many kept entries each column has; an entry whose mapped code is negative is not kept."""
    for i in range(len(columns)):
        if code_map[codes[i]] >= 0:
            counts[column_map[columns[i]]] += 1


@compiled(parallel=True)
def place_by_column(rows, columns, codes, row_map, column_map, code_map, borders, cursor, placed_rows, placed_codes):
    """Put each kept entry before its column's cursor, the last first, and move the cursor there.

    So entries of a column stay in order, and so they do when later batches are put before earlier ones. The columns
    between two borders are one thread's.
    """
    for part in prange(len(borders) - 1):
        first, last = borders[part], borders[part + 1]
        for i in range(len(rows) - 1, -1, -1):
            column = column_map[columns[i]]
            if first <= column < last:
                code = code_map[codes[i]]
                if code >= 0:
                    at = cursor[column] - 1
                    cursor[column] = at
                    placed_rows[at] = row_map[rows[i]]
                    placed_codes[at] = code


@compiled(parallel=True)
def rows_of_columns(starts, rows, codes, first, last, n_rows, n_parts):
    """Turn the compressed columns first…last−1 into compressed rows; columns are numbered from first.

    Columns are walked in order, so each row comes out sorted, repeats side by side and in their old order.
    """
    indptr = np.zeros(n_rows + 1, np.int64)
    begin, end = starts[first], starts[last]
    for part in prange(n_parts):
        low, high = part * n_rows // n_parts, (part + 1) * n_rows // n_parts
        for i in range(begin, end):
            if low <= rows[i] < high:
                indptr[rows[i] + 1] += 1
    for row in range(n_rows):
        indptr[row + 1] += indptr[row]
    cursor = indptr[:-1].copy()
    indices = np.empty(end - begin, np.int32)
    out = np.empty(end - begin, codes.dtype)
    for part in prange(n_parts):
        low, high = part * n_rows // n_parts, (part + 1) * n_rows // n_parts
        for column in range(first, last):
            for i in range(starts[column], starts[column + 1]):
                row = rows[i]
                if low <= row < high:
                    at = cursor[row]
                    cursor[row] = at + 1
                    indices[at] = column - first
                    out[at] = codes[i]
    return indptr, indices, out


@compiled(parallel=True)
def count_repeats(indptr, indices):
    """Count the entries that stand in the same row and column as the one before them."""
    repeats = 0
    for row in prange(len(indptr) - 1):
        for i in range(indptr[row] + 1, indptr[row + 1]):
            if indices[i] == indices[i - 1]:
                repeats += 1
    return repeats


@compiled
def merge_repeats(indptr, indices, codes, repeats, average):
    """Make one entry of all that share a row and column: the last, or the mean rounded half up."""
    merged_indptr = np.zeros_like(indptr)
    merged_indices = np.empty(len(indices) - repeats, indices.dtype)
    merged_codes = np.empty(len(codes) - repeats, codes.dtype)
    at = 0
    for row in range(len(indptr) - 1):
        i = indptr[row]
        while i < indptr[row + 1]:
            start = i
            total = np.int64(0)
            while i < indptr[row + 1] and indices[i] == indices[start]:
                total += np.int64(codes[i])
                i += 1
            n = i - start
            merged_indices[at] = indices[start]
            merged_codes[at] = (2 * total + n) // (2 * n) if average else np.int64(codes[i - 1])
            at += 1
        merged_indptr[row + 1] = at
    return merged_indptr, merged_indices, merged_codes


@compiled(parallel=True)
def take_columns(indptr, indices, codes, place):
    """Return the compressed rows without the columns whose place is negative; the others go to their places.

    Places ascend, so entries of a row stay in order.
    """
    n = len(indptr) - 1
    starts = np.zeros(n + 1, np.int64)
    for row in prange(n):
        kept = 0
        for i in range(indptr[row], indptr[row + 1]):
            kept += place[indices[i]] >= 0
        starts[row + 1] = kept
    for row in range(n):
        starts[row + 1] += starts[row]
    taken = np.empty(starts[n], indices.dtype)
    out = np.empty(starts[n], codes.dtype)
    for row in prange(n):
        at = starts[row]
        for i in range(indptr[row], indptr[row + 1]):
            column = place[indices[i]]
            if column >= 0:
                taken[at] = column
                out[at] = codes[i]
                at += 1
    return starts, taken, out


@compiled(parallel=True)
def take_rows(indptr, indices, codes, rows, starts):
    """Return the indices and codes of some compressed rows in this order; starts say where each begins."""
    taken = np.empty(starts[-1], indices.dtype)
    out = np.empty(starts[-1], codes.dtype)
    for i in prange(len(rows)):
        begin, end = indptr[rows[i]], indptr[rows[i] + 1]
        into, into_codes = taken[starts[i] : starts[i + 1]], out[starts[i] : starts[i + 1]]
        for j in range(end - begin):
            into[j] = indices[begin + j]
            into_codes[j] = codes[begin + j]
    return taken, out


@compiled
def lower_bound(values, begin, end, value):
    """Return the first place from begin on whose value is not below this one; end where all are. They ascend."""
    while begin < end:
        middle = (begin + end) // 2
        if values[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


@compiled
def find_entries(indptr: np.ndarray, indices: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return the place of each entry by its row and column; −1 where there is none, or either is negative.

    Columns ascend within a row.
    """
    places = np.full(len(rows), -1, np.int64)
    for i in range(len(rows)):
        if rows[i] < 0 or columns[i] < 0:
            continue
        end = indptr[rows[i] + 1]
        place = lower_bound(indices, indptr[rows[i]], end, columns[i])
        if place < end and indices[place] == columns[i]:
            places[i] = place
    return places
