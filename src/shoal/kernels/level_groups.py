"""Make groups of compressed rows alike: the same columns, and in each column values within a radius, at least cost.

In one group and column, either nobody keeps a value, at drop a value; or everybody has one, at invent a value that was
not there, and every value is moved into the interval of the given length where that costs least.
"""

import numpy as np
from numba import njit, prange

__all__ = ["best_interval", "column_cost", "gather", "group_costs", "level_groups", "set_cost"]


@njit(cache=True, nogil=True)
def best_interval(counts: np.ndarray, radius: int) -> tuple[int, int]:
    """Give the lowest start of an interval of this length to which values can be moved at least cost, and that cost.

    counts says how often each value occurs; a value moved by one costs one.
    """
    n_values = len(counts)
    if radius >= n_values - 1:
        return 0, 0
    below, above, passed, beyond = 0, 0, 0, 0
    for value in range(radius + 1, n_values):
        beyond += counts[value]
        above += counts[value] * (value - radius)
    best, cost = 0, above
    for start in range(1, n_values - radius):
        passed += counts[start - 1]
        below += passed
        above -= beyond
        beyond -= counts[start + radius]
        if below + above < cost:
            best, cost = start, below + above
    return best, cost


@njit(cache=True, nogil=True)
def column_cost(
    counts: np.ndarray, given: int, size: int, radius: int, invent: float, drop: float
) -> tuple[float, int]:
    """Give the cost of one column and the start of its interval, or −1 where dropping is cheaper."""
    start, moved = best_interval(counts, radius)
    keep = moved + invent * (size - given)
    if keep <= drop * given:
        return keep, start
    return drop * given, -1


@njit(cache=True, nogil=True)
def set_cost(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    radius: int,
    invent: float,
    drop: float,
    counts: np.ndarray,
    given: np.ndarray,
    touched: np.ndarray,
) -> float:
    """Give the cost of making one set of rows alike.

    counts (columns × values), given (columns) and touched (columns) are room to work in; the first two are zero before
    and after.
    """
    found = gather(indptr, indices, data, members, counts, given, touched)
    total = 0.0
    for place in range(found):
        column = touched[place]
        total += column_cost(counts[column], int(given[column]), len(members), radius, invent, drop)[0]
        counts[column] = 0
        given[column] = 0
    return total


@njit(cache=True, nogil=True)
def gather(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    counts: np.ndarray,
    given: np.ndarray,
    touched: np.ndarray,
) -> int:
    """Count the values of some rows by column; give how many columns were touched."""
    found = 0
    for row in members:
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            if given[column] == 0:
                touched[found] = column
                found += 1
            given[column] += 1
            counts[column, data[place]] += 1
    return found


@njit(cache=True, nogil=True, parallel=True)
def group_costs(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    invent: float,
    drop: float,
) -> np.ndarray:
    """Give the cost of every group; group g is made of the rows members[begins[g]:begins[g + 1]].

    shape is the number of columns and of values.
    """
    n_groups = len(begins) - 1
    out = np.zeros(n_groups, np.float64)
    step = 64
    for chunk in prange((n_groups + step - 1) // step):  # pyright: ignore[reportGeneralTypeIssues]
        counts = np.zeros(shape, np.int32)
        given = np.zeros(shape[0], np.int32)
        touched = np.empty(shape[0], np.int32)
        for g in range(chunk * step, min(n_groups, (chunk + 1) * step)):
            rows = members[begins[g] : begins[g + 1]]
            out[g] = set_cost(indptr, indices, data, rows, radius, invent, drop, counts, given, touched)
    return out


@njit(cache=True, nogil=True)
def level_groups(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    invent: float,
    drop: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give the rows as they are after every group was made alike, as compressed rows; every row is in one group.

    A value that is invented is the middle one of those that are there, moved into the interval like any other.
    """
    counts = np.zeros(shape, np.int32)
    given = np.zeros(shape[0], np.int32)
    touched = np.empty(shape[0], np.int32)
    start = np.empty(shape[0], np.int64)
    middle = np.empty(shape[0], np.int64)
    out_indptr = np.zeros(len(indptr), np.int64)
    for g in range(len(begins) - 1):  # first only how long rows get
        rows = members[begins[g] : begins[g + 1]]
        found = gather(indptr, indices, data, rows, counts, given, touched)
        kept = _decide(found, len(rows), radius, invent, drop, counts, given, touched, start, middle)
        for row in rows:
            out_indptr[row + 1] = kept
    for row in range(len(indptr) - 1):
        out_indptr[row + 1] += out_indptr[row]
    out_indices = np.empty(out_indptr[-1], np.int32)
    out_data = np.empty(out_indptr[-1], data.dtype)
    for g in range(len(begins) - 1):
        rows = members[begins[g] : begins[g + 1]]
        found = gather(indptr, indices, data, rows, counts, given, touched)
        kept = _decide(found, len(rows), radius, invent, drop, counts, given, touched, start, middle)
        columns = np.sort(touched[:kept])
        for row in rows:
            _write(indptr, indices, data, row, columns, start, middle, radius, out_indptr, out_indices, out_data)
    return out_indptr, out_indices, out_data


@njit(cache=True, nogil=True)
def _decide(
    found: int,
    size: int,
    radius: int,
    invent: float,
    drop: float,
    counts: np.ndarray,
    given: np.ndarray,
    touched: np.ndarray,
    start: np.ndarray,
    middle: np.ndarray,
) -> int:
    """Move the columns that are kept to the front of touched, with their intervals and middles; clear the counts."""
    kept = 0
    for place in range(found):
        column = touched[place]
        start[column] = column_cost(counts[column], int(given[column]), size, radius, invent, drop)[1]
        if start[column] >= 0:
            middle[column] = _middle(counts[column], int(given[column]))
            touched[kept] = column
            kept += 1
        counts[column] = 0
        given[column] = 0
    return kept


@njit(cache=True, nogil=True)
def _middle(counts: np.ndarray, given: int) -> int:
    """Give the lower median."""
    passed = 0
    for value in range(len(counts)):
        passed += counts[value]
        if 2 * passed >= given:
            return value
    return 0


@njit(cache=True, nogil=True)
def _write(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    row: int,
    columns: np.ndarray,
    start: np.ndarray,
    middle: np.ndarray,
    radius: int,
    out_indptr: np.ndarray,
    out_indices: np.ndarray,
    out_data: np.ndarray,
) -> None:
    """Write one row over the columns of its group; both are sorted."""
    place, at = indptr[row], out_indptr[row]
    for column in columns:
        while place < indptr[row + 1] and indices[place] < column:
            place += 1
        value = middle[column]
        if place < indptr[row + 1] and indices[place] == column:
            value = np.int64(data[place])
        out_indices[at] = column
        out_data[at] = min(max(value, start[column]), start[column] + radius)
        at += 1
