"""Groups of sorted rows: whatever is counted of a group lies together."""

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["excess_over_all", "groups_of_sorted"]


@compiled(plain_up_to=1 << 12)
def groups_of_sorted(
    rows: np.ndarray, records: np.ndarray, n_values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the groups of ascending uint64 rows, each of which is group · n_values + value.

    Rows are so many records each, or one each where ``records`` is empty. Returned are the groups, how many records
    each has, and in compressed rows its values and how many have each.
    """
    n, width, alone = len(rows), np.uint64(n_values), len(records) == 0
    groups, sizes = np.empty(n, np.uint64), np.empty(n, np.int64)
    indptr, values, counts = np.zeros(n + 1, np.int64), np.empty(n, np.int32), np.empty(n, np.int64)
    n_groups, entries, begin, end = 0, 0, np.uint64(0), np.uint64(0)
    for i in range(n):
        amount = 1 if alone else records[i]
        if i == 0 or rows[i] >= end:  # a division a group, not a row
            groups[n_groups] = rows[i] // width
            begin = groups[n_groups] * width
            end = begin + width
            sizes[n_groups] = 0
            n_groups += 1
        if i == 0 or rows[i] != rows[i - 1]:
            values[entries] = rows[i] - begin
            counts[entries] = 0
            entries += 1
            indptr[n_groups] = entries
        counts[entries - 1] += amount
        sizes[n_groups - 1] += amount
    return (
        groups[:n_groups].copy(),
        sizes[:n_groups].copy(),
        indptr[: n_groups + 1].copy(),
        values[:entries].copy(),
        counts[:entries].copy(),
    )


@compiled(plain_up_to=1 << 16)
def excess_over_all(indptr: np.ndarray, values: np.ndarray, counts: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return for each group by how much its values exceed those of all records, times the sizes of both: int64.

    Groups are compressed rows of values and how many records have each; ``totals`` says how many of all have a value.
    """
    everybody = totals.sum()
    excess = np.zeros(len(indptr) - 1, np.int64)
    for group in range(len(excess)):
        size = 0
        for i in range(indptr[group], indptr[group + 1]):
            size += counts[i]
        for i in range(indptr[group], indptr[group + 1]):
            over = counts[i] * everybody - totals[values[i]] * size
            if over > 0:
                excess[group] += over
    return excess
