"""Compare rows of one compressed sparse matrix with rows of another, in the maximum norm."""

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["distances_of_pairs", "pattern_keys", "people_within"]


@compiled(parallel=True)
def pattern_keys(indptr: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """Return each row a 64-bit key: rows with the same columns have the same, others hardly ever."""
    keys = np.empty(len(indptr) - 1, np.uint64)
    for row in prange(len(keys)):
        mixed = np.uint64(indptr[row + 1] - indptr[row])
        for place in range(indptr[row], indptr[row + 1]):
            mixed ^= np.uint64(indices[place])
            mixed = (mixed + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
        keys[row] = mixed
    return keys


@compiled(parallel=True)
def people_within(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    rows: np.ndarray,
    radii: np.ndarray,
    other_indptr: np.ndarray,
    other_indices: np.ndarray,
    other_codes: np.ndarray,
    people: np.ndarray,
    order: np.ndarray,
    begins: np.ndarray,
    ends: np.ndarray,
) -> np.ndarray:
    """Return for each of the rows, and each radius in its line, how many people are behind the others within it.

    An other is within a radius if it has the same columns and no value is further away. Row i is compared with those in
    order[begins[i]:ends[i]], which must hold all that have its columns.
    """
    found = np.zeros(radii.shape, np.int64)
    for i in prange(len(rows)):
        widest = radii[i].max()
        for other in order[begins[i] : ends[i]]:
            apart = _largest_difference(
                indptr, indices, codes, rows[i], other_indptr, other_indices, other_codes, other, widest, widest + 1
            )
            for j in range(radii.shape[1]):
                if apart <= radii[i, j]:
                    found[i, j] += people[other]
    return found


@compiled(parallel=True)
def distances_of_pairs(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    rows: np.ndarray,
    other_indptr: np.ndarray,
    other_indices: np.ndarray,
    other_codes: np.ndarray,
    others: np.ndarray,
    apart: int,
) -> np.ndarray:
    """Return the largest difference of each row from its other; ``apart`` where they do not have the same columns."""
    out = np.empty(len(rows), np.int64)
    for i in prange(len(rows)):
        out[i] = _largest_difference(
            indptr, indices, codes, rows[i], other_indptr, other_indices, other_codes, others[i], apart, apart
        )
    return out


@compiled
def _largest_difference(indptr, indices, codes, row, other_indptr, other_indices, other_codes, other, limit, apart):
    """Stop at the first difference beyond the limit, and return that; apart where the columns are not the same."""
    a, b = indptr[row], other_indptr[other]
    length = indptr[row + 1] - a
    if other_indptr[other + 1] - b != length:
        return apart
    largest = np.int64(0)
    for step in range(length):
        if indices[a + step] != other_indices[b + step]:
            return apart
        difference = abs(np.int64(codes[a + step]) - np.int64(other_codes[b + step]))
        if difference > largest:
            largest = difference
            if largest > limit:
                return largest
    return largest
