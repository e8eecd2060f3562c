"""Generalize rows of codes, number the equivalence classes that come of it, and count values in them."""

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["add_in_places", "leading_counts", "merge_counts", "roll_up", "roll_up_in_places", "value_counts"]


_BLOCK = 1024
"""The number of lines generalized at a time."""


@compiled
def add_in_places(
    rows: np.ndarray,
    columns: np.ndarray,
    worths: np.ndarray,
    begins: np.ndarray,
    amounts: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add the amount of each line to its place: the sum over some columns of what their codes are worth.

    Lines lie across: rows[j] is column j. Code c of the j-th of the columns is worth worths[begins[j] + c].
    """
    places = np.empty(_BLOCK, np.int64)
    for start in range(0, rows.shape[1], _BLOCK):
        here = _places(rows, columns, worths, begins, start, places)
        for i in range(here):
            out[places[i]] += amounts[start + i]


@compiled
def roll_up_in_places(
    rows: np.ndarray,
    columns: np.ndarray,
    worths: np.ndarray,
    begins: np.ndarray,
    amounts: np.ndarray,
    totals: np.ndarray,
    labels: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Number the places that lines come to, by first sight; return where each was first seen, and its total.

    Places are those of add_in_places, and amounts are above 0. There is a zero for every place in totals, which are
    overwritten. The number of each line is written into labels, unless there is no room in it.
    """
    most = min(rows.shape[1], len(totals))
    first, total = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
    places = np.empty(_BLOCK, np.int64)
    found = 0
    for start in range(0, rows.shape[1], _BLOCK):
        here = _places(rows, columns, worths, begins, start, places)
        for i in range(here):
            first[found], total[found] = start + i, places[i]  # stays if the place is new
            found += totals[places[i]] == 0
            totals[places[i]] += amounts[start + i]
    for number in range(found):
        place = total[number]
        total[number] = totals[place]
        totals[place] = number
    if len(labels) > 0:
        for start in range(0, rows.shape[1], _BLOCK):
            here = _places(rows, columns, worths, begins, start, places)
            for i in range(here):
                labels[start + i] = totals[places[i]]
    return first[:found].copy(), total[:found].copy()


@compiled
def _places(rows, columns, worths, begins, start, places):
    here = min(_BLOCK, rows.shape[1] - start)
    places[:here] = 0
    for j in range(len(columns)):
        column, begin = rows[columns[j]], begins[j]
        for i in range(here):
            places[i] += worths[begin + column[start + i]]
    return here


@compiled
def roll_up(rows: np.ndarray, maps: np.ndarray, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the distinct lines after mapping each column; return where each was first seen, and each line's number.

    Numbers follow the order of first sight.

    Lines lie across: rows[j] is column j, and its code c becomes maps[begins[j] + c]. Lines are compared
    in full, so a collision of hashes costs time only.
    """
    width, n = rows.shape
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    slots = np.full(size, -1, np.int32)
    published = np.empty((n, width), np.int32)
    hashes = np.empty(n, np.uint64)
    first, labels = np.empty(n, np.int64), np.empty(n, np.int64)
    found = 0
    for i in range(n):
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for j in range(width):
            code = maps[begins[j] + rows[j, i]]
            published[found, j] = code
            mixed = (mixed ^ np.uint64(code)) * np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
        slot = mixed & mask
        while slots[slot] >= 0 and not (hashes[slots[slot]] == mixed and _same(published, slots[slot], found)):
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            slots[slot] = found
            hashes[found] = mixed
            first[found] = i
            found += 1
        labels[i] = slots[slot]
    return first[:found].copy(), labels


@compiled
def _same(rows, one, other):
    for j in range(rows.shape[1]):
        if rows[one, j] != rows[other, j]:
            return False
    return True


@compiled
def merge_counts(
    labels: np.ndarray, n_groups: int, indptr: np.ndarray, values: np.ndarray, counts: np.ndarray, n_values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Add up the counts of values of groups that get the same label, in compressed rows in which values ascend."""
    begins = np.zeros(n_groups + 1, np.int64)
    for group in range(len(labels)):
        begins[labels[group] + 1] += 1
    for label in range(n_groups):
        begins[label + 1] += begins[label]
    order = np.empty(len(labels), np.int64)
    place = begins[:-1].copy()
    for group in range(len(labels)):
        order[place[labels[group]]] = group
        place[labels[group]] += 1
    merged = np.zeros(n_groups + 1, np.int64)
    merged_values, merged_counts = np.empty(len(values), np.int32), np.empty(len(values), np.int64)
    totals, seen = np.zeros(n_values, np.int64), np.empty(n_values, np.int32)
    at = 0
    for label in range(n_groups):
        found = 0
        for i in range(begins[label], begins[label + 1]):
            group = order[i]
            for j in range(indptr[group], indptr[group + 1]):
                if totals[values[j]] == 0:
                    seen[found] = values[j]
                    found += 1
                totals[values[j]] += counts[j]
        seen[:found].sort()
        for i in range(found):
            merged_values[at] = seen[i]
            merged_counts[at] = totals[seen[i]]
            totals[seen[i]] = 0
            at += 1
        merged[label + 1] = at
    return merged, merged_values[:at].copy(), merged_counts[:at].copy()


@compiled(plain_up_to=1 << 17)
def value_counts(
    labels: np.ndarray, n_groups: int, codes: np.ndarray, n_values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, in compressed rows by group, the codes that occur (ascending) and how often.

    A counting sort by code and then, stably, by group brings equal pairs together: linear in the rows.
    """
    n = len(labels)
    by_code = _counting_sort(codes, n_values, np.arange(n))
    order = _counting_sort(labels, n_groups, by_code)
    indptr = np.zeros(n_groups + 1, np.int64)
    values = np.empty(n, np.int32)
    counts = np.empty(n, np.int64)
    found = 0
    for place in range(n):
        row = order[place]
        new_group = place == 0 or labels[row] != labels[order[place - 1]]
        if new_group or codes[row] != values[found - 1]:
            values[found] = codes[row]
            counts[found] = 0
            found += 1
            indptr[labels[row] + 1] += 1
        counts[found - 1] += 1
    for group in range(n_groups):
        indptr[group + 1] += indptr[group]
    return indptr, values[:found].copy(), counts[:found].copy()


@compiled
def _counting_sort(keys: np.ndarray, n_keys: int, order: np.ndarray) -> np.ndarray:
    begins = np.zeros(n_keys + 1, np.int64)
    for key in keys:
        begins[key + 1] += 1
    for key in range(n_keys):
        begins[key + 1] += begins[key]
    out = np.empty(len(order), np.int64)
    for row in order:
        out[begins[keys[row]]] = row
        begins[keys[row]] += 1
    return out


@compiled(plain_up_to=1 << 12)  # it is called for every pair of columns
def leading_counts(
    one: np.ndarray, other: np.ndarray, counts: np.ndarray, n_one: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each of the first values its largest count, the second value it is of, and its next largest count.

    Each pair of values is listed once. Of second values that are equally frequent the lowest leads; a value without any
    has counts of 0 and the partner 0.
    """
    most = np.zeros(n_one, np.int64)
    mode = np.zeros(n_one, np.int64)
    second = np.zeros(n_one, np.int64)
    for place in range(len(one)):
        value, count = one[place], counts[place]
        if count > most[value] or (count == most[value] and other[place] < mode[value]):
            second[value] = most[value]
            most[value] = count
            mode[value] = other[place]
        elif count > second[value]:
            second[value] = count
    return most, mode, second
