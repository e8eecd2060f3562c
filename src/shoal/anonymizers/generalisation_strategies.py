"""In how many ways a table can be generalised step by step."""

import math
from collections.abc import Sequence

__all__ = ["generalisation_strategies"]


def generalisation_strategies(heights: Sequence[int]) -> int:
    """Count the paths from the lowest to the highest node of the lattice, one attribute going up a level each time.

    That is the multinomial (h₁ + … + hₙ)! / (h₁!·…·hₙ!) of the heights of the hierarchies (thesis, Theorem 2.1).
    """
    paths = math.factorial(sum(heights))
    for height in heights:
        paths //= math.factorial(height)
    return paths
