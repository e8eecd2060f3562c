"""Find for every point the nearest of some centres."""

import numpy as np
from numba import njit, prange

__all__ = ["nearest_centres"]

_BLOCK = 1024


@njit(cache=True, nogil=True, parallel=True)
def nearest_centres(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Give the number of the centre nearest to each point, of equally near ones the first.

    Points and centres are rows of float32; there is at least one centre.
    """
    n, width = points.shape
    across = centres.T.copy()  # so that the innermost loop runs over centres, and many are done at once
    nearest = np.empty(n, np.int64)
    for block in prange((n + _BLOCK - 1) // _BLOCK):  # pyright: ignore[reportGeneralTypeIssues]
        apart = np.empty(len(centres), np.float32)
        for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
            apart[:] = 0
            for column in range(width):
                value = points[i, column]
                for centre in range(len(apart)):
                    difference = value - across[column, centre]
                    apart[centre] += difference * difference
            nearest[i] = np.argmin(apart)
    return nearest
