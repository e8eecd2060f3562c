"""Single cells of a product of two thin matrices, without the product."""

import numpy as np
from numba import njit, prange

__all__ = ["cell_products"]


@njit(cache=True, nogil=True, parallel=True)
def cell_products(left: np.ndarray, right: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Give ``left[rows[i]] · right[columns[i]]`` for each i, added up in double precision, as float32."""
    products = np.empty(len(rows), np.float32)
    for i in prange(len(rows)):  # pyright: ignore[reportGeneralTypeIssues]
        row, column = left[rows[i]], right[columns[i]]
        total = 0.0
        for a in range(left.shape[1]):
            total += np.float64(row[a]) * np.float64(column[a])
        products[i] = total
    return products
