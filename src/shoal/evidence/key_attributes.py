"""The few columns that hold a tree of columns together: key attributes."""

from collections.abc import Sequence

import numpy as np

__all__ = ["key_attributes"]


def key_attributes(tree: Sequence[tuple[int, int]], n_attributes: int) -> tuple[int, ...]:
    """Give the fewest vertices of highest degree whose degrees add up to at least the number of vertices, in order.

    Of vertices with the same degree the lower come first. A single vertex is its own key.

    *Reference.* Sun, thesis, Definition 5.3. Its Theorem 5.1 says there are at most m/2 of them; a path of 3 has 2 and
    one of 5 has 3, so from three vertices on the bound is ⌈m/2⌉.
    """
    assert len(tree) == max(n_attributes - 1, 0), "a tree over all vertices"
    degrees = np.bincount(np.array(tree, np.int64).ravel(), minlength=n_attributes)
    order = np.argsort(-degrees, kind="stable")
    reached = np.cumsum(degrees[order])
    fewest = int(np.searchsorted(reached, n_attributes)) + 1
    return tuple(sorted(order[:fewest].tolist()))
