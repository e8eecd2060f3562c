"""How far apart all columns are from each other: the matrix of their variation of information."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from .entropy import entropy

__all__ = ["variation_matrix"]


def variation_matrix(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Give the variation of information in bits of every pair of columns of whole numbers, and 0 for itself.

    The independency matrix of Definition 4.2 and the dependency matrix of Definition 5.1 of the thesis.
    """
    alone = [entropy(column) for column in columns]
    matrix = np.zeros((len(columns), len(columns)))
    for i, j in combinations(range(len(columns)), 2):
        both = entropy(columns[i], columns[j])
        matrix[i, j] = matrix[j, i] = max(0.0, (both - alone[i]) + (both - alone[j]))
    return matrix
