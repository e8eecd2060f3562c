"""Entropy of columns, from exact counts.

*Definition.* H(X) = −Σ p(x)·log₂ p(x) over the values that occur, p(x) being the share of records that have x; with
several columns, over the combinations of their values that occur: H(X, Y).

*Accuracy.* The same counts give the same number to the last digit, whatever the order of records or values: equal
counts are added up together, in the order of their size, and correctly rounded. A column that
determines another has therefore exactly the entropy that the two have together.

*Reference.* Sun, thesis §4.2.1.

Variation of information: how far two columns are from determining each other.

*Definition.* VI(A, B) = H(A|B) + H(B|A), in bits: a distance, exactly 0 where the columns name the same groups of
records, and H(A) + H(B) where they are independent.

*Reference.* Sun, thesis, Definition 4.1, which calls it the mutual information measure. It is not the mutual
information, which is H(A) + H(B) − H(A, B), large where columns depend on each other and no distance.
"""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from shoal.kernels.groups.counts import value_counts

from .grouping import numbered_codes

__all__ = ["conditional_entropy", "entropy", "entropy_of_counts", "variation_matrix", "variation_of_information"]


_PLACES = 4
"""Up to this many places for combinations per record, combinations are counted in an array; beyond, they are sorted."""


def entropy(*columns: np.ndarray) -> float:
    """Return the entropy in bits of columns of whole numbers, taken together; 0 for no records."""
    assert columns, "an entropy is of columns"
    first, *others = columns
    codes, counts = numbered_codes(first)
    for place, other in enumerate(others, start=2):
        last, last_counts = numbered_codes(other)
        if place == len(columns):
            counts = _pair_counts(codes, len(counts), last, len(last_counts))
        else:
            codes, counts = numbered_codes(codes * len(last_counts) + last)
    return entropy_of_counts(counts)


def _pair_counts(one: np.ndarray, n_one: int, other: np.ndarray, n_other: int) -> np.ndarray:
    """Count the pairs of values that occur, and perhaps some that do not, as 0."""
    if n_one * n_other <= _PLACES * len(one):
        return np.bincount(one * n_other + other)
    return value_counts(one, n_one, other, n_other)[2]


def entropy_of_counts(counts: np.ndarray) -> float:
    """Return the entropy in bits where values occur so often: log₂ n − Σ c·log₂ c / n."""
    records = int(counts.sum())
    if not records:
        return 0.0
    times = np.bincount(counts)
    sizes = np.flatnonzero(times[2:]) + 2  # neither nobody nor somebody alone adds anything
    parts = times[sizes] * (sizes * np.log2(sizes))
    return max(0.0, math.log2(records) - math.fsum(parts) / records)


def conditional_entropy(column: np.ndarray, given: np.ndarray) -> float:
    """Return H(column | given) = H(column, given) − H(given) in bits; exactly 0 where ``given`` decides the column.

    The thesis (§4.2.1) swaps the two conditional entropies of its example: H(Gender | Age) is 0.3333, and 0.9183 is
    H(Age | Gender).
    """
    return max(0.0, entropy(column, given) - entropy(given))


def variation_of_information(one: np.ndarray, other: np.ndarray) -> float:
    """Return H(one | other) + H(other | one) in bits, of two columns of whole numbers."""
    both = entropy(one, other)
    return max(0.0, (both - entropy(one)) + (both - entropy(other)))


def variation_matrix(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return the variation of information in bits of every pair of columns of whole numbers, and 0 for itself.

    The independency matrix of Definition 4.2 and the dependency matrix of Definition 5.1 of the thesis.
    """
    alone = [entropy(column) for column in columns]
    matrix = np.zeros((len(columns), len(columns)))
    for i, j in combinations(range(len(columns)), 2):
        both = entropy(columns[i], columns[j])
        matrix[i, j] = matrix[j, i] = max(0.0, (both - alone[i]) + (both - alone[j]))
    return matrix
