"""What the members of groups say of items together."""

import numpy as np
from numba import njit, prange

__all__ = ["add_up_raters"]


@njit(cache=True, nogil=True, parallel=True)
def add_up_raters(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    users: np.ndarray,
    items: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give, groups × items, how many members have a value, the sum of their values, and that of their predictions.

    Group g is made of the rows members[begins[g]:begins[g + 1]]; the prediction of a row and an item is the product of
    their factors.
    """
    n_groups, n_items = len(begins) - 1, len(items)
    counts = np.zeros((n_groups, n_items), np.int32)
    sums = np.zeros((n_groups, n_items), np.float32)
    predictions = np.zeros((n_groups, n_items), np.float32)
    for g in prange(n_groups):  # pyright: ignore[reportGeneralTypeIssues]
        for row in members[begins[g] : begins[g + 1]]:
            for place in range(indptr[row], indptr[row + 1]):
                item = indices[place]
                counts[g, item] += 1
                sums[g, item] += data[place]
                total = np.float32(0)
                for factor in range(users.shape[1]):
                    total += users[row, factor] * items[item, factor]
                predictions[g, item] += total
    return counts, sums, predictions
