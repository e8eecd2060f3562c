"""Attribute priorities from the most and the least useful one, by how independent attributes are.

*Definition.* Attributes stand in a chain, the most useful first with priority 1, the least useful last with 0. Between
two neighbours the priority falls by as much as they are independent of each other: with m attributes and the distances
d₁ … dₘ₋₁ from each to the next, Pᵢ = (dᵢ + … + dₘ₋₁) / (d₁ + … + dₘ₋₁).

*Order.* The priority of an attribute between the two depends on where in the chain it stands, and the definition does
not say where. In Table 4.1(a), with Gender first and Age last, Postcode has 0.2663; add a fourth attribute, and it has
another priority before it than behind it.

*Reference.* Sun, thesis, Definition 4.3, a recurrence that this solves. The proof of its Theorem 4.2, that priorities
are between 0 and 1, takes all distances for two numbers; that they are is plain from the sums here. Where all distances
are nothing it has 0/0; they are then taken to be equal, as in the first case of that proof.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

__all__ = ["chained_priorities"]


def chained_priorities(matrix: np.ndarray, order: Sequence[int]) -> tuple[Fraction, ...]:
    """Give the priority of each attribute, of a chain that names them all from the most to the least useful.

    The matrix may be normalised or not: only ratios count.
    """
    assert sorted(order) == list(range(len(matrix))), "a chain has every attribute once"
    distances = [Fraction(float(matrix[one, next_])) for one, next_ in pairwise(order)]
    if not any(distances):
        distances = [Fraction(1)] * len(distances)
    total = sum(distances, Fraction(0))
    priorities = [Fraction(1)] * len(order)
    for place, attribute in enumerate(order[1:], start=1):
        priorities[attribute] = sum(distances[place:], Fraction(0)) / total
    return tuple(priorities)
