"""How far apart two columns are in what they tell: variation of information.

*Definition.* VI(A, B) = H(A|B) + H(B|A), in bits: a distance, nothing exactly where the columns name the same groups of
records, and H(A) + H(B) where they are independent.

*Reference.* Sun, thesis, Definition 4.1, which calls it the mutual information measure. It is not the mutual
information, which is H(A) + H(B) − H(A, B), large where columns depend on each other and no distance.
"""

import numpy as np

from .entropy import entropy

__all__ = ["variation_of_information"]


def variation_of_information(one: np.ndarray, other: np.ndarray) -> float:
    """Give H(one | other) + H(other | one) in bits, of two columns of whole numbers."""
    both = entropy(one, other)
    return max(0.0, (both - entropy(one)) + (both - entropy(other)))
