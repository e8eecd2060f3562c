"""How much of one column is not known once another is: conditional entropy."""

import numpy as np

from .entropy import entropy

__all__ = ["conditional_entropy"]


def conditional_entropy(column: np.ndarray, given: np.ndarray) -> float:
    """Give H(column | given) = H(column, given) − H(given) in bits; exactly nothing where ``given`` decides the column.

    The thesis (§4.2.1) swaps the two conditional entropies of its example: H(Gender | Age) is 0.3333, and 0.9183 is
    H(Age | Gender).
    """
    return max(0.0, entropy(column, given) - entropy(given))
