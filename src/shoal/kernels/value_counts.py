"""Count values by group."""

import numpy as np
from numba import njit

__all__ = ["value_counts"]


@njit(cache=True, nogil=True)
def value_counts(
    labels: np.ndarray, n_groups: int, codes: np.ndarray, n_values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give, in compressed rows by group, the codes that occur (ascending) and how often.

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


@njit(cache=True, nogil=True)
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
