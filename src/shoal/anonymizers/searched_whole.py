"""How large a lattice may be to be searched whole."""

import math
from collections.abc import Sequence

__all__ = ["is_searched_whole"]

_MOST_NODES = 1_000_000


def is_searched_whole(heights: Sequence[int]) -> bool:
    """Tell whether a lattice is small enough that the best is found, and not only what there is time for."""
    return math.prod(height + 1 for height in heights) <= _MOST_NODES
