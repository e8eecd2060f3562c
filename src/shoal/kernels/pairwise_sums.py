"""Add up, in the maximum norm, what belongs to the rows within a radius: by comparing every two."""

import numpy as np
from numba import njit, prange

from .near import near_rows

__all__ = ["add_by_pairs", "add_by_pairs_in_groups"]


@njit(cache=True, nogil=True, parallel=True)
def add_by_pairs(
    indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, amounts: np.ndarray, radius: int, out: np.ndarray
) -> None:
    """Add to out[i] the amounts of all compressed rows, itself included, with the same indices and near data.

    Every two rows are looked at; the comparison of two stops at the first place that separates them.
    """
    n = len(indptr) - 1
    for i in prange(n):  # pyright: ignore[reportGeneralTypeIssues]
        for j in range(n):
            if near_rows(indptr, indices, data, i, j, radius):
                for amount in range(out.shape[1]):
                    out[i, amount] += amounts[j, amount]


@njit(cache=True, nogil=True, parallel=True)
def add_by_pairs_in_groups(
    indptr: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    amounts: np.ndarray,
    radius: int,
    out: np.ndarray,
) -> None:
    """Do the same within groups of rows that are known to have the same indices.

    Group g is made of the rows members[begins[g]:begins[g + 1]].
    """
    for g in prange(len(begins) - 1):  # pyright: ignore[reportGeneralTypeIssues]
        for one in range(begins[g], begins[g + 1]):
            i = members[one]
            length = indptr[i + 1] - indptr[i]
            for other in range(begins[g], begins[g + 1]):
                j = members[other]
                near = True
                for step in range(length):
                    if abs(np.int64(data[indptr[i] + step]) - np.int64(data[indptr[j] + step])) > radius:
                        near = False
                        break
                if near:
                    for amount in range(out.shape[1]):
                        out[i, amount] += amounts[j, amount]
