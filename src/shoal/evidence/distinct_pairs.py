"""Which records share a class and something else, such as the person they are of."""

import numpy as np

from shoal.kernels.distinct_keys import distinct_keys

__all__ = ["distinct_pairs"]


def distinct_pairs(labels: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the different pairs of two codes from 0 on; return that of each record, and the first record of each."""
    width = int(others.max(initial=0)) + 1
    numbers, found = distinct_keys(labels.astype(np.int64) * width + others)
    firsts = np.empty(found, np.int64)
    firsts[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return numbers, firsts
