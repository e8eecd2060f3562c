"""Sort triples (row, column, code) into compressed rows, by two stable counting sorts."""

import numpy as np
from numba import njit

__all__ = ["count_columns", "count_repeats", "merge_repeats", "place_by_column", "rows_of_columns"]


@njit(cache=True, nogil=True)
def count_columns(columns, codes, column_map, code_map, counts):
    """Add to counts how many kept entries each column has; an entry whose mapped code is negative is not kept."""
    for i in range(len(columns)):
        if code_map[codes[i]] >= 0:
            counts[column_map[columns[i]]] += 1


@njit(cache=True, nogil=True)
def place_by_column(rows, columns, codes, row_map, column_map, code_map, cursor, placed_rows, placed_codes):
    """Put each kept entry at its column's cursor, and move the cursor on; entries of a column stay in order."""
    for i in range(len(rows)):
        code = code_map[codes[i]]
        if code >= 0:
            column = column_map[columns[i]]
            at = cursor[column]
            cursor[column] = at + 1
            placed_rows[at] = row_map[rows[i]]
            placed_codes[at] = code


@njit(cache=True, nogil=True)
def rows_of_columns(starts, rows, codes, first, last, n_rows):
    """Turn the compressed columns first…last−1 into compressed rows; columns are numbered from first.

    Columns are walked in order, so each row comes out sorted, repeats side by side and in their old order.
    """
    indptr = np.zeros(n_rows + 1, np.int64)
    begin, end = starts[first], starts[last]
    for i in range(begin, end):
        indptr[rows[i] + 1] += 1
    for row in range(n_rows):
        indptr[row + 1] += indptr[row]
    cursor = indptr[:-1].copy()
    indices = np.empty(end - begin, np.int32)
    out = np.empty(end - begin, codes.dtype)
    for column in range(first, last):
        for i in range(starts[column], starts[column + 1]):
            at = cursor[rows[i]]
            cursor[rows[i]] = at + 1
            indices[at] = column - first
            out[at] = codes[i]
    return indptr, indices, out


@njit(cache=True, nogil=True)
def count_repeats(indptr, indices):
    """Count the entries that stand in the same row and column as the one before them."""
    repeats = 0
    for row in range(len(indptr) - 1):
        for i in range(indptr[row] + 1, indptr[row + 1]):
            if indices[i] == indices[i - 1]:
                repeats += 1
    return repeats


@njit(cache=True, nogil=True)
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
