"""Which items the members of groups rated."""

import numpy as np

from shoal.data import RatingMatrix

from .by_group import by_group

__all__ = ["rated_cells"]

_CELLS = 1 << 22
"""So many cells are worked on at a time."""


def rated_cells(matrix: RatingMatrix, labels: np.ndarray) -> np.ndarray:
    """Give, groups × items in packed bits, the cells of which a member of the group rated the item."""
    order, begins = by_group(labels)
    n_groups, n_items = len(begins) - 1, len(matrix.items)
    cells = np.empty((n_groups, -(-n_items // 8)), np.uint8)
    size = max(_CELLS // max(n_items, 1), 1)
    for start in range(0, n_groups, size):
        stop = min(start + size, n_groups)
        members = order[begins[start] : begins[stop]]
        some = matrix.take(members)
        rated = np.zeros((stop - start, n_items), bool)
        rated[np.repeat(labels[members] - start, np.diff(some.indptr)), some.indices] = True
        cells[start:stop] = np.packbits(rated, axis=1)
    return cells
