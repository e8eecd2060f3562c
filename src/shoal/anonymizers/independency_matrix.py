"""How independent attributes are of each other, as shares of a whole."""

from collections.abc import Sequence

import numpy as np

from shoal.evidence import variation_matrix

__all__ = ["independency_matrix"]


def independency_matrix(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Give the variation of information of every pair of columns, divided by the sum over all pairs.

    Where all columns name the same groups of records there is nothing to divide, and every entry is 0.

    *Reference.* Sun, thesis, Definition 4.2. How the matrix is normalised is not said; this gives the one printed.
    """
    matrix = variation_matrix(columns)
    return matrix / (np.triu(matrix).sum() or 1)
