"""Whole numbers 0…points−1 from biases, a product of factors and noise."""

import numpy as np
from numba import njit

from .random_words import GOLDEN, mixed, stream

__all__ = ["low_rank_codes"]


@njit(cache=True, nogil=True)
def low_rank_codes(
    first_row: int,
    indptr: np.ndarray,
    columns: np.ndarray,
    row_bias: np.ndarray,
    column_bias: np.ndarray,
    row_factors: np.ndarray,
    column_factors: np.ndarray,
    noise: float,
    points: int,
    key: np.uint64,
) -> np.ndarray:
    """Give for each cell its value on the points, rounded and clipped; the rows begin at ``first_row``.

    The noise of a cell is the sum of four uniform numbers, brought to mean 0 and the standard deviation asked for: near
    enough to normal, of bounded size, and of one random word.
    """
    codes = np.empty(len(columns), np.uint16)
    width = noise * np.sqrt(3.0) / 65536.0
    for row in range(len(indptr) - 1):
        state = stream(key, first_row + row)
        for at in range(indptr[row] - indptr[0], indptr[row + 1] - indptr[0]):
            column = columns[at]
            state += GOLDEN
            value = row_bias[first_row + row] + column_bias[column] + width * (_four(mixed(state)) - 131070.0)
            for factor in range(row_factors.shape[1]):
                value += row_factors[first_row + row, factor] * column_factors[column, factor]
            codes[at] = min(max(np.floor(value + 0.5), 0.0), points - 1.0)
    return codes


@njit(cache=True, nogil=True)
def _four(word):
    """Give the sum of the four 16-bit parts of a word."""
    low = np.uint64(0xFFFF)
    parts = (word & low) + ((word >> np.uint64(16)) & low) + ((word >> np.uint64(32)) & low) + (word >> np.uint64(48))
    return np.float64(parts)
